import { places, type Home } from "#contract/calls/places.ts";
import { counted } from "#contract/text/count-text.ts";
import { floorText, GROUND, PENTHOUSE } from "#contract/text/unit-name.ts";
import { call } from "#web/api/client.ts";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { useSave } from "#web/domain/save/use-save.ts";
import { homeReads } from "#web/features/places/home-reads.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

export type CorrectHomesProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  homes: readonly Home[];
};

type Form = { building: string; floor: string; stack: string };

/** A value that the selected homes don't share. */
const MIXED = "*";
const UNKNOWN = "";
const HIGHEST = 60;
const LOWEST = -3;

/** Corrects building, floor and stack of many homes at once. Loaded through launcher.ts. */
export default function CorrectHomes({ open, onOpenChange, homes }: CorrectHomesProps) {
  const shared = (of: (home: Home) => string) => {
    const values = new Set(homes.map(of));
    return values.size === 1 ? [...values][0]! : MIXED;
  };
  const before: Form = {
    building: shared(({ building }) => building),
    floor: shared(({ floor }) => (floor === null ? UNKNOWN : String(floor))),
    stack: shared(({ stack }) => stack ?? ""),
  };
  const form = useCheckedForm<Form>({
    defaultValues: {
      building: before.building === MIXED ? "" : before.building,
      floor: before.floor,
      stack: before.stack === MIXED ? "" : before.stack,
    },
  });
  const { dirtyFields } = form.formState;
  const saving = useSave({
    form,
    refreshes: homeReads,
    save: ({ building, floor, stack }) =>
      call(places.correctHomes, {
        body: {
          ids: homes.map(({ id }) => id),
          ...(dirtyFields.building && { building }),
          ...(dirtyFields.floor && floor !== MIXED && { floor: floor === UNKNOWN ? null : Number(floor) }),
          ...(dirtyFields.stack && { stack: stack || null }),
        },
      }),
    saved: ({ changed }) => ({
      title: "Homes corrected",
      description: changed === 0 ? "Nothing was different." : `${counted(changed, "home")} changed.`,
    }),
    failed: (description) => ({ title: "Not corrected", description }),
    fieldsOnly: true,
    onSaved: () => onOpenChange(false),
  });
  const floors = [PENTHOUSE, ...Array.from({ length: HIGHEST - LOWEST + 1 }, (_, n) => HIGHEST - n)];
  const hint = (mixed: boolean) =>
    mixed ? "The selected homes differ. Left empty, they stay as they are." : undefined;
  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Correct ${counted(homes.length, "home")}`}
      description="What you enter stays, whatever the names say."
      saving={saving}
      label="Save"
      what="these homes"
    >
      <Field
        label="Building"
        hint={hint(before.building === MIXED)}
        error={form.formState.errors.building?.message}
      >
        {(wiring) => <Input {...wiring} {...form.register("building")} autoComplete="off" />}
      </Field>
      <Field label="Floor" error={form.formState.errors.floor?.message}>
        {(wiring) => (
          <Select {...wiring} {...form.register("floor")}>
            {before.floor === MIXED && <option value={MIXED}>Different floors</option>}
            <option value={UNKNOWN}>Not known</option>
            {floors.map((floor) => (
              <option key={floor} value={floor}>
                {floor === GROUND ? "Ground floor (0)" : floorText(floor)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Stack" hint={hint(before.stack === MIXED)} error={form.formState.errors.stack?.message}>
        {(wiring) => <Input {...wiring} {...form.register("stack")} autoComplete="off" />}
      </Field>
    </SaveDialog>
  );
}
