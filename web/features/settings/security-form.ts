import type * as z from "zod";
import { settingFields } from "#contract/calls/settings.ts";
import { useSettingsForm, type SettingsTab } from "#web/features/settings/settings-form.tsx";

const schema = settingFields.pick({
  passwordMinLength: true,
  passwordExpiry: true,
  requireSpecialChars: true,
  enableTwoFactor: true,
  sessionTimeout: true,
  registration: true,
});
export type SecuritySettings = z.output<typeof schema>;

export function useSecurityForm(all: SecuritySettings): SettingsTab<SecuritySettings> {
  return useSettingsForm(schema, all, {
    saved: () => ({ title: "Settings Updated", description: "They apply to everyone immediately." }),
  });
}
