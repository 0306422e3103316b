import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useRef, type ReactNode } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import type * as z from "zod";
import { audience } from "#contract/calls/audience.ts";
import { settings, type SettingKey, type Settings } from "#contract/calls/settings.ts";
import { shell } from "#contract/calls/shell.ts";
import { call } from "#web/api/client.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { useSave, type Saving } from "#web/domain/save/use-save.ts";
import { Button } from "#web/ui/page/button.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

/** What each setting is called, where it is set and where its change is named. */
export const settingLabel = {
  companyLogo: "Logo",
  siteName: "Site name",
  siteEmail: "Site email",
  postalAddress: "Postal address",
  supportEmail: "Support email",
  knowledgeBaseUrl: "Knowledge base",
  supportCallUrl: "Booking link for support calls",
  timezone: "Time zone",
  country: "Country of phone numbers",
  defaultEmailSubject: "Default email subject",
  defaultSmsPrefix: "SMS prefix",
  emailFooter: "Email footer",
  emailSignature: "Email signature",
  trackOpens: "Track opens",
  trackClicks: "Track clicks",
  enableEmail: "Email",
  enableSms: "SMS",
  enablePush: "Web Push",
  importStop: "Import stop (%)",
  registration: "Open registration",
  passwordMinLength: "Minimum password length",
  passwordExpiry: "Password expiry",
  requireSpecialChars: "Require special characters",
  enableTwoFactor: "Two-factor authentication",
  sessionTimeout: "Session timeout",
  deliveryMonths: "Keep delivery details (months)",
} satisfies Record<SettingKey, string>;

/** A reset that a person asks for spares nothing, unlike one because of someone else's save. */
const EVERYTHING = { keepDirtyValues: false, keepErrors: false };

type SettingValues = FieldValues & Partial<Settings>;

export type SettingsTab<Form extends SettingValues> = {
  form: UseFormReturn<Form, unknown, Form>;
  saving: Saving;
  /** In the order of the form. */
  changed: (keyof Form & SettingKey)[];
};

type Options<Form> = {
  /** The toast's text once these settings are saved. */
  saved: (changed: readonly SettingKey[]) => { title: string; description: string };
  /** Says a failure in its own way. Returns true if nothing else is to be said. */
  failed?: (error: unknown, filled: Form, changed: readonly SettingKey[]) => boolean;
};

/**
 * One tab's settings, those of `schema`, as a form. Only changes are sent, so that two people can change different
 * settings at the same time. What someone else saves shows immediately, except where something is being typed.
 */
export function useSettingsForm<Form extends SettingValues>(
  schema: z.ZodType<Form, Form> & { shape: object },
  all: Form,
  options: Options<Form>,
): SettingsTab<Form> {
  const keys = Object.keys(schema.shape) as (keyof Form & SettingKey)[];
  const stored = Object.fromEntries(keys.map((key) => [key, all[key]])) as unknown as Form;
  const form = useCheckedForm<Form, unknown, Form>({
    resolver: zodResolver(schema),
    values: stored,
    // What a refused save said of a field stays, too.
    resetOptions: { keepDirtyValues: true, keepErrors: true },
  });
  const { dirtyFields } = form.formState;
  const changed = keys.filter((key) => (dirtyFields as Partial<Record<keyof Form, unknown>>)[key] === true);
  // What each setting was when its change was begun: someone else's save meanwhile must not be replaced unseen.
  const begun = useRef<Partial<Settings>>({});
  useEffect(() => {
    for (const key of keys) if (!changed.includes(key)) Object.assign(begun.current, { [key]: all[key] });
  });
  const saving = useSave({
    form,
    save: async (filled) => {
      const body = {
        ...Object.fromEntries(changed.map((key) => [key, filled[key]])),
        // The logo is a file's worth of text: the last one saved stays.
        before: Object.fromEntries(
          changed.flatMap((key) => (key === "companyLogo" ? [] : [[key, begun.current[key]]])),
        ),
      };
      const reply = await call(settings.saveAll, { body });
      // The logo does not come back; anything else does as it was stored.
      return {
        ...filled,
        ...(Object.fromEntries(Object.entries(reply).filter(([key]) => key in filled)) as Form),
      };
    },
    refreshes: [settings.list, settings.value, shell.state, audience.today],
    saved: () => options.saved(changed),
    failed: (description) => ({ title: "Error", description }),
    fieldsOnly: true,
    onSaved: (now) => form.reset(now, EVERYTHING),
    instead: async (error, filled) => {
      if (error instanceof ApiError && error.code === "conflict") {
        // The fields now show the other change, and saving again replaces it.
        Object.assign(begun.current, await call(settings.list).catch(() => ({})));
      }
      return options.failed?.(error, filled, changed) ?? false;
    },
  });
  return { form, saving, changed };
}

type Props<Form extends SettingValues> = {
  tab: SettingsTab<Form>;
  /** False: everything can be read, nothing changed. */
  mayChange: boolean;
  children: ReactNode;
};

/** The form of a tab; as soon as something is changed, a bar says what, and saves it. */
export function SettingsForm<Form extends SettingValues>({ tab, mayChange, children }: Props<Form>) {
  const { form, saving, changed } = tab;
  return (
    <form {...saving.form} autoComplete="off">
      <fieldset disabled={!mayChange || saving.saving} className="flex min-w-0 flex-col gap-9">
        {children}
      </fieldset>
      <div className="sticky bottom-4 z-10 mt-6 empty:mt-0">
        {changed.length > 0 && (
          <div
            data-save-bar
            className="flex flex-wrap items-center justify-end gap-x-4 gap-y-3 rounded-lg border border-line-strong bg-raised px-4 py-3 shadow-dialog md:px-5"
          >
            <output className="mr-auto flex min-w-0 flex-wrap items-baseline gap-x-2.5 text-sm">
              <span className="flex items-center gap-2.5 font-semibold">
                <span aria-hidden className="size-2 rounded-full bg-lamp" />
                {changed.length === 1 ? "1 unsaved change" : `${changed.length} unsaved changes`}
              </span>
              <span className="text-ink-2">{changed.map((key) => settingLabel[key]).join(", ")}</span>
            </output>
            <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
              <Button onClick={() => form.reset(undefined, EVERYTHING)} disabled={saving.saving}>
                Discard
              </Button>
              <Button type="submit" variant="ink" busy={saving.saving}>
                Save Changes
              </Button>
            </div>
          </div>
        )}
      </div>
    </form>
  );
}
