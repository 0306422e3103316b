import { places } from "#contract/calls/places.ts";
import { counted } from "#contract/text/count-text.ts";
import { isolated } from "#contract/text/isolate.ts";
import { call } from "#web/api/client.ts";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { useSave } from "#web/domain/save/use-save.ts";
import { homeReads } from "#web/features/places/home-reads.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Textarea } from "#web/ui/form/textarea.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

export type AddHomesProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  property: { id: number; name: string };
};

const namesIn = (text: string) =>
  text
    .split(/[\n,;]+/)
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** Adds homes in which no one lives yet. Loaded through launcher.ts. */
export default function AddHomes({ open, onOpenChange, property: { id, name } }: AddHomesProps) {
  const form = useCheckedForm<{ names: string }>({ defaultValues: { names: "" } });
  const saving = useSave({
    form,
    refreshes: homeReads,
    ready: ({ names }) => {
      const some = namesIn(names).length > 0;
      if (!some) form.setError("names", { type: "missing", message: "Enter at least one home" });
      return some;
    },
    save: ({ names }) => call(places.addHomes, { params: { id }, body: { names: namesIn(names) } }),
    saved: ({ added }) => ({
      title: added === 0 ? "No home is new" : `${counted(added, "home")} added`,
      description: added === 0 ? "All of them are there already." : `To ${isolated(name)}.`,
    }),
    failed: (description) => ({ title: "No homes were added", description }),
    fieldsOnly: true,
    onSaved: () => onOpenChange(false),
  });
  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add homes"
      description="Floor, stack and building are read from names like 1204, 4B, A-204 or PH2. You can correct them afterwards."
      saving={saving}
      label="Add homes"
      what="these homes"
    >
      <Field
        label="Names"
        required
        hint="One on each line, or separated by commas."
        error={form.formState.errors.names?.message}
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            {...form.register("names")}
            rows={6}
            placeholder={"101\n102\n103"}
            data-autofocus
          />
        )}
      </Field>
    </SaveDialog>
  );
}
