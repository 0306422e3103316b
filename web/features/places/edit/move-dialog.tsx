import { useState } from "react";
import { useWatch } from "react-hook-form";
import { type HomeDetail, places, type ResidencyRow } from "#contract/calls/places.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { isolated } from "#contract/text/isolate.ts";
import { call } from "#web/api/client.ts";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { useSave } from "#web/domain/save/use-save.ts";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { searchHomes, searchProperties } from "#web/features/places/edit/search-places.ts";
import { homeReads } from "#web/features/places/home-reads.ts";
import { DatePicker } from "#web/ui/form/date-picker.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { SearchSelect } from "#web/ui/form/search-select.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

export type MoveDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  home: HomeDetail;
  resident: ResidencyRow;
};

type Form = { homeId: number; day: string };

/** "Move to another home". Loaded through launcher.ts. */
export default function MoveDialog({ open, onOpenChange, home, resident }: MoveDialogProps) {
  const [property, setProperty] = useState({ id: home.property.id, name: home.property.name });
  const [chosen, setChosen] = useState("");
  const form = useCheckedForm<Form>({ defaultValues: { homeId: 0, day: home.today } });
  const { errors } = form.formState;
  const day = useWatch({ control: form.control, name: "day" });
  const undo = useUndo();
  const who = isolated(resident.name);
  const saving = useSave({
    form,
    refreshes: homeReads,
    ready: ({ homeId, day: on }) => {
      if (homeId === 0) form.setError("homeId", { type: "missing", message: "Choose a home" });
      if (on === "") form.setError("day", { type: "missing", message: "Enter the first day there" });
      return homeId !== 0 && on !== "";
    },
    save: (body) => call(places.move, { params: { id: resident.id }, body }),
    saved: () => ({
      title: "Move saved",
      description: `${who} moves to ${isolated(chosen)} on ${dayText(form.getValues("day"))}.`,
      action: undo({
        make: () => call(places.undoMove, { params: { id: resident.personId } }),
        refreshes: homeReads,
        done: { title: "Move undone", description: `${who} stays.` },
      }),
    }),
    failed: (description) => ({ title: "Not moved", description }),
    fieldsOnly: true,
    onSaved: () => onOpenChange(false),
  });
  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`${who} moves`}
      description="Until the day before, they get the notices for the old home, and from then on those for the new one."
      saving={saving}
      label="Move"
      what="this move"
    >
      <Field label="Property" required>
        {(wiring) => (
          <SearchSelect
            {...wiring}
            chosen={property.name}
            placeholder="Search properties"
            emptyText="No properties found"
            search={searchProperties()}
            onPick={({ key, label }) => {
              setProperty({ id: Number(key), name: label });
              setChosen("");
              form.setValue("homeId", 0);
            }}
          />
        )}
      </Field>
      <Field label="Home" required error={errors.homeId?.message}>
        {(wiring) => (
          <SearchSelect
            {...wiring}
            chosen={chosen}
            placeholder="Search homes"
            emptyText="No homes found"
            search={searchHomes(property.id, home.id)}
            onPick={({ key, label }) => {
              setChosen(label);
              form.setValue("homeId", Number(key), { shouldDirty: true });
              form.clearErrors("homeId");
            }}
          />
        )}
      </Field>
      <Field label="First day there" required error={errors.day?.message}>
        {(wiring) => (
          <DatePicker
            {...wiring}
            value={day}
            today={home.today}
            onChange={(next) => {
              form.setValue("day", next, { shouldDirty: true });
              form.clearErrors("day");
            }}
          />
        )}
      </Field>
    </SaveDialog>
  );
}
