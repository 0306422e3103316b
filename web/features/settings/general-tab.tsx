import { type Control, Controller } from "react-hook-form";
import type * as z from "zod";
import { sample } from "#contract/calls/sample.ts";
import { settingFields } from "#contract/calls/settings.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { isUnreachable } from "#web/api/unreachable.ts";
import { useRead } from "#web/api/use-read.ts";
import { keepLogo } from "#web/domain/company-logo.ts";
import { RemoveSampleButton } from "#web/domain/sample-property.tsx";
import { CountryField } from "#web/features/settings/country-field.tsx";
import { LogoField } from "#web/features/settings/logo-field.tsx";
import {
  settingLabel,
  SettingsForm,
  useSettingsForm,
  type SettingsTab,
} from "#web/features/settings/settings-form.tsx";
import { searchZones, zoneLabel } from "#web/features/settings/time-zones.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { SearchSelect } from "#web/ui/form/search-select.tsx";
import { Section } from "#web/ui/page/section.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

const schema = settingFields.pick({
  siteName: true,
  siteEmail: true,
  postalAddress: true,
  timezone: true,
  importStop: true,
  supportEmail: true,
  knowledgeBaseUrl: true,
  supportCallUrl: true,
  country: true,
  companyLogo: true,
});
type GeneralSettings = z.output<typeof schema>;

export function useGeneralForm(all: GeneralSettings): SettingsTab<GeneralSettings> {
  return useSettingsForm(schema, all, {
    saved: (changed) =>
      changed.every((key) => key === "companyLogo")
        ? { title: "Logo Saved", description: "Everyone sees it from now on." }
        : { title: "Settings Updated", description: "Your general settings are saved." },
    failed(error, { companyLogo: logo }, changed) {
      // A refusal says what is wrong with the file. Any other error isn't about the logo.
      const refused = error instanceof ApiError && error.status < 500 && !isUnreachable(error);
      if (logo === all.companyLogo || refused) return false;
      keepLogo(logo);
      toast({
        title: "Error Saving Logo",
        description: "Failed to save logo to database. Using localStorage as fallback.",
        variant: "destructive",
      });
      return changed.length === 1;
    },
  });
}

type Props = {
  tab: SettingsTab<GeneralSettings>;
  stored: Pick<GeneralSettings, "country" | "timezone">;
  mayChange: boolean;
  timeZoneData: string;
};

export function GeneralTab({ tab, stored, mayChange, timeZoneData }: Props) {
  const { register, control, formState } = tab.form;
  const { errors } = formState;
  return (
    <>
      <SettingsForm tab={tab} mayChange={mayChange}>
        <Section
          title="Site"
          hint="Who your messages come from. The name and logo also appear at the top of every screen."
        >
          <div className="grid gap-5 p-4 sm:grid-cols-2 md:p-5">
            <Field label={settingLabel.siteName} error={errors.siteName?.message} required>
              {(wiring) => <Input {...wiring} {...register("siteName")} />}
            </Field>
            <Field
              label={settingLabel.siteEmail}
              hint="Replies to your emails go to this address."
              error={errors.siteEmail?.message}
            >
              {(wiring) => <Input {...wiring} {...register("siteEmail")} type="email" />}
            </Field>
            <Field
              label={settingLabel.postalAddress}
              hint="Shown at the end of every email. Empty leaves it out."
              error={errors.postalAddress?.message}
              className="sm:col-span-2"
            >
              {(wiring) => (
                <Input
                  {...wiring}
                  {...register("postalAddress")}
                  placeholder="12 Front Street, Eastmere, NY 10500"
                />
              )}
            </Field>
          </div>
          <fieldset className="border-t border-line p-4 md:p-5">
            <legend className="sr-only">{settingLabel.companyLogo}</legend>
            <p aria-hidden className="mb-2 text-sm font-semibold">
              {settingLabel.companyLogo}
            </p>
            <Controller
              control={control}
              name="companyLogo"
              render={({ field, fieldState }) => (
                <LogoField
                  value={field.value}
                  onChange={field.onChange}
                  error={fieldState.error?.message}
                  disabled={!mayChange || tab.saving.saving}
                />
              )}
            />
          </fieldset>
        </Section>
        <Section
          title="Time"
          hint={"Decides what “today” and “9:00\u00a0AM” mean, for schedules and on every screen."}
        >
          <div className="p-4 md:p-5">
            <Controller
              control={control}
              name="timezone"
              render={({ field, fieldState }) => (
                <Field
                  label={settingLabel.timezone}
                  hint={mayChange && `Clock changes follow the time zone data of release ${timeZoneData}.`}
                  error={fieldState.error?.message}
                  required
                  className="sm:max-w-sm"
                >
                  {(wiring) => (
                    <SearchSelect
                      {...wiring}
                      chosen={zoneLabel(field.value)}
                      search={searchZones}
                      onPick={({ key }) => field.onChange(key)}
                      placeholder="Choose a time zone"
                      emptyText="No time zones found"
                    />
                  )}
                </Field>
              )}
            />
          </div>
        </Section>
        <Section
          title="Phone numbers"
          hint="A number from another country always begins with + and its country code."
        >
          <div className="p-4 md:p-5">
            <CountryField
              control={control as unknown as Control<Pick<GeneralSettings, "country" | "timezone">>}
              stored={stored}
            />
          </div>
        </Section>
        <Section
          title="Imports"
          hint="A file that is said to be complete moves out the people of a property who aren't in it."
        >
          <div className="p-4 md:p-5">
            <Field
              label={settingLabel.importStop}
              hint="If more of a property's people would move out, whoever imports has to confirm the number. 0 always asks."
              error={errors.importStop?.message}
              required
              className="sm:max-w-sm"
            >
              {(wiring) => (
                <Input
                  {...wiring}
                  {...register("importStop", { valueAsNumber: true })}
                  type="number"
                  inputMode="numeric"
                />
              )}
            </Field>
          </div>
        </Section>
        <Section
          title="Support"
          hint="Where you and your colleagues find help. Help shows what you enter here."
        >
          <div className="grid gap-5 p-4 sm:grid-cols-2 md:p-5">
            <Field label={settingLabel.supportEmail} error={errors.supportEmail?.message}>
              {(wiring) => <Input {...wiring} {...register("supportEmail")} type="email" />}
            </Field>
            <Field
              label={settingLabel.knowledgeBaseUrl}
              hint="The address of your own instructions."
              error={errors.knowledgeBaseUrl?.message}
            >
              {(wiring) => <Input {...wiring} {...register("knowledgeBaseUrl")} type="url" />}
            </Field>
            <Field label={settingLabel.supportCallUrl} error={errors.supportCallUrl?.message}>
              {(wiring) => <Input {...wiring} {...register("supportCallUrl")} type="url" />}
            </Field>
          </div>
        </Section>
      </SettingsForm>
      {mayChange && <SampleSection />}
    </>
  );
}

/** Only while the sample property is loaded. */
function SampleSection() {
  const { data } = useRead(sample.read, {}, { fresh: true });
  if (!data?.loaded) return null;
  return (
    <div className="mt-8">
      <Section title="Sample property" hint="Invented people and messages, loaded to look around in.">
        <div className="p-4 md:p-5">
          <RemoveSampleButton />
        </div>
      </Section>
    </div>
  );
}
