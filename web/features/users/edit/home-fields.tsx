import { Building2, DoorOpen } from "lucide-react";
import { useWatch } from "react-hook-form";
import type { SectionProps } from "#web/features/users/edit/user-fields.tsx";
import { asksWhetherMoved, homeOf } from "#web/features/users/edit/user-form.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";

/** One field for property and unit. What was recognized is shown below and can be corrected. */
export function HomeFields({ form, stored }: SectionProps) {
  const { control, register, setValue, getValues, setFocus, formState } = form;
  const { errors } = formState;
  const [propertyUnit, corrected, property, unit, role, homeChange] = useWatch({
    control,
    name: ["propertyUnit", "corrected", "property", "unit", "role", "homeChange"],
  });
  const moves = asksWhetherMoved({ propertyUnit, corrected, property, unit, role }, stored);
  const home = homeOf({ propertyUnit, corrected, property, unit }, stored);

  function correct() {
    const found = homeOf(getValues(), stored);
    setValue("property", found.property);
    setValue("unit", found.unit);
    setValue("corrected", true, { shouldDirty: true });
    requestAnimationFrame(() => setFocus("property"));
  }

  return (
    <div className="flex flex-col gap-3">
      <Field label="Property/Unit" error={errors.propertyUnit?.message}>
        {(wiring) => (
          <Input
            {...wiring}
            {...register("propertyUnit", {
              // A correction lasts until this text changes, as on the server.
              onChange: () => setValue("corrected", false),
            })}
            autoComplete="off"
            placeholder="Maple Court, Unit 4B"
          />
        )}
      </Field>
      {corrected ? (
        <div className="grid gap-5 rounded-md bg-sunk p-4 sm:grid-cols-2">
          <Field label="Property" error={errors.property?.message}>
            {(wiring) => <Input {...wiring} {...register("property")} autoComplete="off" />}
          </Field>
          <Field label="Unit" error={errors.unit?.message}>
            {(wiring) => <Input {...wiring} {...register("unit")} autoComplete="off" />}
          </Field>
        </div>
      ) : (
        propertyUnit.trim() !== "" && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-sunk py-1.5 pr-1.5 pl-3 text-sm">
            <output className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
              <Part icon={<Building2 aria-hidden />} label="Property" value={home.property} />
              <Part icon={<DoorOpen aria-hidden />} label="Unit" value={home.unit} />
            </output>
            <Button size="sm" variant="ghost" onClick={correct}>
              Correct
            </Button>
          </div>
        )
      )}
      {moves && (
        <div className="flex flex-col gap-2">
          <Segmented
            label="What this change means"
            segments={[
              { value: "moved", label: "They moved" },
              { value: "corrected", label: "Correct it" },
            ]}
            value={homeChange}
            onChange={(value) => setValue("homeChange", value, { shouldDirty: true })}
            className="w-fit"
          />
          <p className="text-sm text-ink-2">
            {homeChange === "moved"
              ? "From today they live here. The old home keeps its history."
              : "They have lived here all along. The old home was a mistake."}
          </p>
        </div>
      )}
    </div>
  );
}

function Part({ icon, label, value }: { icon: React.ReactNode; label: string; value: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-3">
      {icon}
      <span className="text-ink-2">{label}</span>{" "}
      {value ? (
        <strong className="min-w-0 font-semibold break-words">{value}</strong>
      ) : (
        <span className="text-ink-3">not recognized</span>
      )}
    </span>
  );
}
