import { useState } from "react";
import { places, type PropertyRow } from "#contract/calls/places.ts";
import { isolated } from "#contract/text/isolate.ts";
import { call } from "#web/api/client.ts";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { useSave } from "#web/domain/save/use-save.ts";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { searchProperties } from "#web/features/places/edit/search-places.ts";
import { homeReads } from "#web/features/places/home-reads.ts";
import { Field } from "#web/ui/form/field.tsx";
import { SearchSelect } from "#web/ui/form/search-select.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

export type MergeDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  property: PropertyRow;
};

type Form = { into: number };

/** Makes a property a spelling of another one. Loaded through launcher.ts. */
export default function MergeDialog({ open, onOpenChange, property: { id, name } }: MergeDialogProps) {
  const [chosen, setChosen] = useState("");
  const form = useCheckedForm<Form>({ defaultValues: { into: 0 } });
  const undo = useUndo();
  const saving = useSave({
    form,
    refreshes: homeReads,
    ready: ({ into }) => {
      if (into === 0) form.setError("into", { type: "missing", message: "Choose a property" });
      return into !== 0;
    },
    save: ({ into }) => call(places.merge, { params: { id }, body: { into } }),
    saved: ({ message }) => ({
      title: "Properties merged",
      description: message,
      action: undo({
        make: () => call(places.unmerge, { params: { id: form.getValues("into") } }),
        refreshes: homeReads,
        done: { title: "Merge undone", description: `${isolated(name)} is a property of its own again.` },
      }),
    }),
    failed: (description) => ({ title: "Not merged", description }),
    onSaved: () => onOpenChange(false),
  });
  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Merge ${isolated(name)}`}
      description="For one property that is written in two ways. Its homes, people and groups become the other one's. What people's details say stays as written, and you can separate them again."
      saving={saving}
      label="Merge"
      what="this merge"
    >
      <Field label="Merge into" required error={form.formState.errors.into?.message}>
        {(wiring) => (
          <SearchSelect
            {...wiring}
            chosen={chosen}
            placeholder="Search properties"
            emptyText="No properties found"
            search={searchProperties(id)}
            onPick={({ key, label }) => {
              setChosen(label);
              form.setValue("into", Number(key), { shouldDirty: true });
              form.clearErrors("into");
            }}
          />
        )}
      </Field>
    </SaveDialog>
  );
}
