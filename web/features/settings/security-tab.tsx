import { ShieldCheck } from "lucide-react";
import { Controller, useWatch } from "react-hook-form";
import type { ReactNode } from "react";
import type { SecuritySettings } from "#web/features/settings/security-form.ts";
import { settingLabel, SettingsForm, type SettingsTab } from "#web/features/settings/settings-form.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Section } from "#web/ui/page/section.tsx";
import { Switch } from "#web/ui/form/switch.tsx";

type Props = { tab: SettingsTab<SecuritySettings>; mayChange: boolean };
type Numbers = "passwordMinLength" | "passwordExpiry" | "sessionTimeout";

export default function SecurityTab({ tab, mayChange }: Props) {
  const { register, control, formState } = tab.form;
  const required = useWatch({ control, name: "enableTwoFactor" });
  const number = (name: Numbers, unit: string, hint: string) => (
    <Field label={settingLabel[name]} hint={hint} error={formState.errors[name]?.message} required>
      {(wiring) => (
        <WithUnit id={`${wiring.id}-unit`} unit={unit}>
          <Input
            {...wiring}
            {...register(name, { valueAsNumber: true })}
            aria-describedby={`${wiring.id}-unit ${wiring["aria-describedby"]}`}
            type="number"
            inputMode="numeric"
          />
        </WithUnit>
      )}
    </Field>
  );
  return (
    <SettingsForm tab={tab} mayChange={mayChange}>
      <Section title="Passwords" hint="Rules for every new password. Current passwords keep working.">
        <div className="grid gap-5 p-4 sm:grid-cols-2 md:p-5">
          {number("passwordMinLength", "characters", "At least 8.")}
          {number(
            "passwordExpiry",
            "days",
            "After that, people choose a new one at their next sign-in. 0 means never.",
          )}
        </div>
        <div className="border-t border-line px-4 py-3 md:px-5">
          <Switch
            {...register("requireSpecialChars")}
            label={settingLabel.requireSpecialChars}
            hint="At least one, such as ! or #."
          />
        </div>
        <p className="flex items-center gap-2.5 border-t border-line px-4 py-3 text-sm text-ink-2 md:px-5">
          <ShieldCheck aria-hidden className="size-4 shrink-0 text-good" />
          Common passwords are always refused.
        </p>
      </Section>
      <Section
        title="Two-factor authentication"
        hint="A second step at sign-in: a code from an app, or a passkey. Everyone can turn it on in their profile."
      >
        <div className="px-4 py-3 md:px-5">
          <Switch
            {...register("enableTwoFactor")}
            label="Require it for administrators"
            hint={
              required
                ? "Required for administrator accounts. Anyone without it is asked to set it up right away."
                : "Administrators without it are then asked to set it up right away."
            }
          />
        </div>
      </Section>
      <Section title="Sessions" hint="Applies to everyone.">
        <div className="p-4 sm:max-w-sm md:p-5">
          {number(
            "sessionTimeout",
            "minutes",
            "People are signed out after this long without activity. At least 5.",
          )}
        </div>
      </Section>
      <Section title="Registration" hint="Who can create an account without an invitation.">
        <div className="px-4 py-3 md:px-5">
          <Controller
            control={control}
            name="registration"
            render={({ field }) => (
              <Switch
                name={field.name}
                ref={field.ref}
                onBlur={field.onBlur}
                checked={field.value === "open"}
                onChange={(event) => field.onChange(event.target.checked ? "open" : "closed")}
                label={settingLabel.registration}
                hint="Anyone can register as a tenant. They get group messages once their address is confirmed."
              />
            )}
          />
        </div>
      </Section>
    </SettingsForm>
  );
}

function WithUnit({ id, unit, children }: { id: string; unit: string; children: ReactNode }) {
  return (
    <span className="relative block [&>input]:pr-24">
      {children}
      <span
        id={id}
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-sm text-ink-3"
      >
        {unit}
      </span>
    </span>
  );
}
