import { useFormContext } from "react-hook-form";
import type { Account, ProviderField } from "#contract/calls/integrations.ts";
import type { AccountValues } from "#web/features/integrations/account-values.ts";
import { internationalExample } from "#web/domain/phone-number.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";
import { Select } from "#web/ui/form/select.tsx";

/** The servers' example of a number, in place of which people see one of their country. */
const EXAMPLE = "+15551234567";

type Props = {
  field: ProviderField;
  account: Account | undefined;
  /** The saved secret is to go with the next save. */
  removed: boolean;
  onRemoved: (removed: boolean) => void;
};

/** One setting, as its provider describes it. */
export function SettingField({ field, account, removed, onRemoved }: Props) {
  const { register, formState } = useFormContext<AccountValues>();
  const name = `settings.${field.name}` as const;
  const { label, hint, placeholder, input, choices, requiredError } = field;
  const required = requiredError !== null;
  const tail = account?.secrets[field.name];
  const saved = tail !== undefined && !removed;
  // The server checks this too, but asks for the password first.
  const rules = { required: (!saved && requiredError) ?? false };
  return (
    <Field
      label={
        <>
          {label}{" "}
          {!required && input !== "choice" && <span className="font-normal text-ink-3">Optional</span>}
        </>
      }
      hint={input === "secret" ? secretHint(hint, tail, removed) : hint}
      error={formState.errors.settings?.[field.name]?.message}
      required={required}
      aside={
        tail !== undefined &&
        !required && (
          <button type="button" className="text-sm font-medium underline" onClick={() => onRemoved(!removed)}>
            {removed ? "Keep it" : "Remove"}
          </button>
        )
      }
    >
      {(wiring) => {
        if (input === "choice") {
          return (
            <Select {...wiring} {...register(name, rules)}>
              {choices.map(({ value, label: text }) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </Select>
          );
        }
        if (input === "secret") {
          return (
            <PasswordInput
              {...wiring}
              {...register(name, rules)}
              autoComplete="new-password"
              placeholder={saved ? `••••••••${tail ?? ""}` : ""}
            />
          );
        }
        return (
          <Input
            {...wiring}
            {...register(name, rules)}
            placeholder={placeholder === EXAMPLE ? internationalExample() : placeholder}
            autoComplete="off"
            spellCheck={false}
            {...(input === "number" && { inputMode: "numeric" })}
            {...(input === "email" && { type: "email" })}
          />
        );
      }}
    </Field>
  );
}

function secretHint(hint: string, tail: string | null | undefined, removed: boolean): string {
  if (removed) return "It will be removed when you save.";
  if (tail === undefined) return hint;
  if (tail === null) return "The saved one can't be read by this server. Enter it again.";
  return tail === ""
    ? "Saved and encrypted. Leave it empty to keep it."
    : `Encrypted. The saved one ends in ${tail}. Leave it empty to keep it.`;
}
