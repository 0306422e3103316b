import { useState } from "react";
import { useWatch } from "react-hook-form";
import { type HomeDetail, places, type ResidencyRow } from "#contract/calls/places.ts";
import { lives, type ResidencyRole, residencyRoles, residencyRoleText } from "#contract/homes.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { isolated } from "#contract/text/isolate.ts";
import { call } from "#web/api/client.ts";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { useSave } from "#web/domain/save/use-save.ts";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { searchPeople } from "#web/features/places/edit/search-places.ts";
import { homeReads } from "#web/features/places/home-reads.ts";
import { homeName } from "#web/features/places/home-text.ts";
import { DatePicker } from "#web/ui/form/date-picker.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { SearchSelect } from "#web/ui/form/search-select.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

export type ResidencyDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  home: HomeDetail;
  /** Whose time here is changed; left out, someone moves in. */
  resident?: ResidencyRow;
  /** Asks only for the last day. */
  movesOut?: boolean;
};

type Form = { personId: number; role: ResidencyRole; firstDay: string; lastDay: string; leaseEnds: string };

/** "Move in", "Move out", and correcting what is on file. Loaded through launcher.ts. */
export default function ResidencyDialog({
  open,
  onOpenChange,
  home,
  resident,
  movesOut,
}: ResidencyDialogProps) {
  const [chosen, setChosen] = useState("");
  const form = useCheckedForm<Form>({
    defaultValues: {
      personId: resident?.personId ?? 0,
      role: resident?.role ?? "leaseholder",
      firstDay: resident ? (resident.firstDay ?? "") : home.today,
      lastDay: resident?.lastDay ?? (movesOut ? home.today : ""),
      leaseEnds: resident?.leaseEnds ?? "",
    },
  });
  const { errors, dirtyFields } = form.formState;
  const role = useWatch({ control: form.control, name: "role" });
  const where = isolated(homeName(home.name));
  const undo = useUndo();
  const who = () => isolated(resident?.name ?? chosen);
  const saving = useSave({
    form,
    refreshes: homeReads,
    ready: ({ personId, lastDay }) => {
      if (personId === 0) form.setError("personId", { type: "missing", message: "Choose a person" });
      else if (movesOut && lastDay === "")
        form.setError("lastDay", { type: "missing", message: "Enter the last day" });
      else return true;
      return false;
    },
    save: ({ personId, role: is, ...days }) => {
      const [firstDay, lastDay, leaseEnds] = [
        days.firstDay || null,
        days.lastDay || null,
        days.leaseEnds || null,
      ];
      if (!resident)
        return call(places.moveIn, {
          params: { id: home.id },
          body: { personId, role: is, firstDay, lastDay, leaseEnds },
        });
      // Someone else may have changed the others meanwhile.
      const body = movesOut
        ? { lastDay }
        : {
            ...(dirtyFields.role && { role: is }),
            ...(dirtyFields.firstDay && { firstDay }),
            ...(dirtyFields.lastDay && { lastDay }),
            ...(dirtyFields.leaseEnds && { leaseEnds }),
          };
      return call(places.changeResidency, { params: { id: resident.id }, body });
    },
    saved: () => ({
      title: movesOut ? "Move-out saved" : resident ? "Saved" : "Moved in",
      description: movesOut
        ? `${who()} is on file for ${where} until ${dayText(form.getValues("lastDay"))}.`
        : resident
          ? `${who()} in ${where} was saved.`
          : `${who()} is on file for ${where}.`,
      action: undo({
        make: () => call(places.undoMove, { params: { id: form.getValues("personId") } }),
        refreshes: homeReads,
        done: { title: "Undone", description: `${who()}'s homes are as they were.` },
      }),
    }),
    failed: (description) => ({ title: "Not saved", description }),
    fieldsOnly: true,
    onSaved: () => onOpenChange(false),
  });
  const day = (name: "firstDay" | "lastDay" | "leaseEnds", label: string, hint?: string) => (
    <Field label={label} hint={hint} error={errors[name]?.message}>
      {(wiring) => <Day {...wiring} form={form} name={name} today={home.today} />}
    </Field>
  );
  const title = resident ? (movesOut ? `${who()} moves out` : `${who()} in ${where}`) : `Move into ${where}`;
  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      saving={saving}
      label={resident ? (movesOut ? "Move out" : "Save") : "Move in"}
      what="this home"
    >
      {!resident && (
        <Field label="Person" required error={errors.personId?.message}>
          {(wiring) => (
            <SearchSelect
              {...wiring}
              chosen={chosen}
              placeholder="Search people"
              emptyText="No people found"
              search={searchPeople}
              onPick={({ key, label }) => {
                setChosen(label);
                form.setValue("personId", Number(key), { shouldDirty: true });
                form.clearErrors("personId");
              }}
            />
          )}
        </Field>
      )}
      {movesOut ? (
        day("lastDay", "Last day", "They still get notices for this home on that day. Their history stays.")
      ) : (
        <>
          <Field
            label="Role"
            hint={
              lives(role)
                ? undefined
                : "They don't live here, so they get what is sent to this home only when they are chosen."
            }
            error={errors.role?.message}
          >
            {(wiring) => (
              <Select {...wiring} {...form.register("role")}>
                {residencyRoles.map((one) => (
                  <option key={one} value={one}>
                    {residencyRoleText[one]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <div className="grid gap-5 sm:grid-cols-2">
            {day("firstDay", "First day", "Empty: not known.")}
            {day("lastDay", "Last day", "Empty: still open.")}
          </div>
          {day("leaseEnds", "Lease ends")}
        </>
      )}
    </SaveDialog>
  );
}

type DayProps = Omit<React.ComponentProps<typeof DatePicker>, "value" | "onChange"> & {
  form: ReturnType<typeof useCheckedForm<Form>>;
  name: "firstDay" | "lastDay" | "leaseEnds";
};

function Day({ form, name, ...rest }: DayProps) {
  const value = useWatch({ control: form.control, name });
  return (
    <DatePicker
      {...rest}
      value={value}
      onChange={(next) => {
        form.setValue(name, next, { shouldDirty: true });
        form.clearErrors(name);
      }}
    />
  );
}
