import { X } from "lucide-react";
import { useId } from "react";
import {
  type Comparison,
  comparisonsOf,
  comparisonText,
  NO_VALUE,
} from "#contract/text/detail-conditions.ts";
import { personDetails } from "#contract/text/kept-details.ts";
import { detailExample } from "#contract/text/person-details.ts";
import { type ConditionForm, newCondition } from "#web/domain/conditions/condition-form.ts";
import { DatePicker } from "#web/ui/form/date-picker.tsx";
import { FieldError, type FieldWiring } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { Button } from "#web/ui/page/button.tsx";

type Props = {
  value: ConditionForm;
  onChange: (value: ConditionForm) => void;
  onRemove: () => void;
  error: string | undefined;
  /** What it is called to a screen reader: "Condition 1". */
  label: string;
};

/** One condition on a detail: which, how it is compared, and with what. */
export function ConditionRow({ value: condition, onChange, onRemove, error, label }: Props) {
  const { detail, is, value } = condition;
  const details = personDetails();
  const chosen = details.find(({ id }) => id === detail);
  const kind = chosen?.kind ?? "text";
  const id = useId();
  const wiring: FieldWiring = {
    id,
    "aria-describedby": error === undefined ? undefined : `${id}-error`,
    "aria-invalid": error === undefined ? undefined : true,
    "aria-required": true,
  };
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="grid grid-cols-[1fr_auto] gap-2 sm:grid-cols-[1fr_1fr_1fr_auto]">
        <Select
          aria-label="Detail"
          className="col-start-1"
          value={chosen ? detail : ""}
          onChange={({ target }) => {
            const other = details.find(({ id }) => id === Number(target.value));
            if (other) onChange(newCondition(other));
          }}
        >
          {!chosen && <option value="">Deleted detail</option>}
          {details.map((one) => (
            <option key={one.id} value={one.id} translate="no">
              {one.label}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Comparison"
          className="col-start-1 sm:col-start-2"
          value={is}
          onChange={({ target }) => onChange({ ...condition, is: target.value as Comparison })}
        >
          {comparisonsOf(kind).map((one) => (
            <option key={one} value={one}>
              {comparisonText(one)}
            </option>
          ))}
        </Select>
        <div className="col-start-1 sm:col-start-3">
          {NO_VALUE.has(is) ? null : kind === "date" && is !== "within-days" ? (
            <>
              <label className="sr-only" htmlFor={wiring.id}>
                Date
              </label>
              <DatePicker
                {...wiring}
                value={value}
                onChange={(day) => onChange({ ...condition, value: day })}
              />
            </>
          ) : (
            <span className="flex items-center gap-2">
              <Input
                {...wiring}
                aria-label={is === "within-days" ? "Days" : "Value"}
                value={value}
                onChange={({ target }) => onChange({ ...condition, value: target.value })}
                autoComplete="off"
                dir="auto"
                {...(kind !== "text" && { inputMode: "decimal" })}
                placeholder={is === "within-days" ? "90" : detailExample(kind)}
              />
              {is === "within-days" && <span className="text-sm text-ink-2">days</span>}
            </span>
          )}
        </div>
        <Button
          variant="ghost"
          size="icon"
          className="col-start-2 row-start-1 sm:col-start-4"
          aria-label={`Remove ${label.toLowerCase()}`}
          icon={<X aria-hidden />}
          onClick={onRemove}
        />
      </div>
      <FieldError id={`${wiring.id}-error`} message={error} />
    </fieldset>
  );
}
