import { zodResolver } from "@hookform/resolvers/zod";
import { ArrowRight, ImageUp } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Controller, useWatch, type UseFormReturn } from "react-hook-form";
import { audience } from "#contract/calls/audience.ts";
import type { CurrentUser } from "#contract/calls/auth.ts";
import { dashboard } from "#contract/calls/dashboard.ts";
import { sample } from "#contract/calls/sample.ts";
import { settings, type Settings } from "#contract/calls/settings.ts";
import { shell } from "#contract/calls/shell.ts";
import { countries, countryName } from "#contract/text/countries.ts";
import { isolated } from "#contract/text/isolate.ts";
import { locale } from "#contract/text/locale.ts";
import { call } from "#web/api/client.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import {
  answerSchema,
  prefixOf,
  proposedAnswers,
  settingsOf,
  type Answers,
} from "#web/features/settings/first-run/answers.ts";
import { LetterPreview } from "#web/features/settings/first-run/letter-preview.tsx";
import { takeLogo } from "#web/features/settings/take-logo.ts";
import { searchZones, zoneLabel } from "#web/features/settings/time-zones.ts";
import { LeaveGuard } from "#web/ui/dialog/leave-guard.tsx";
import { Field, FieldError } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { SearchSelect } from "#web/ui/form/search-select.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { browserZone, placeOf } from "#web/ui/time/format-time.ts";

type Props = {
  person: CurrentUser;
  stored: Settings;
  canLoadSample: boolean;
  onDone: () => void;
};

/** Three questions, answered already as far as the account and the browser know, beside what tenants will see. */
export function FirstRunForm({ person, stored, canLoadSample, onDone }: Props) {
  const [proposed] = useState(() =>
    proposedAnswers(stored, person, { zone: browserZone(), language: navigator.language }),
  );
  const form = useCheckedForm<Answers, unknown, Answers>({
    resolver: zodResolver(answerSchema),
    defaultValues: proposed,
  });
  const { isDirty } = form.formState;
  const [lit, setLit] = useState<keyof Answers>("siteName");
  useEffect(() => {
    const typing = form.watch((_values, { name }) => {
      if (name === "siteName" || name === "siteEmail" || name === "timezone") setLit(name);
    });
    return () => typing.unsubscribe();
  }, [form]);
  useEffect(() => {
    // What is proposed gives way to what is typed. On a phone, a keyboard would cover what the page says first.
    if (window.matchMedia("(min-width: 64rem)").matches) form.setFocus("siteName", { shouldSelect: true });
  }, [form]);
  const answers = useWatch({ control: form.control }) as Answers;
  const save = (values: Answers) => call(settings.saveAll, { body: settingsOf(values, stored) });
  const saving = useSave({
    form,
    save: (filled) => save(filled),
    refreshes: [settings.list, settings.value, shell.state, audience.today, dashboard.read],
    saved: () => ({
      title: "Settings Updated",
      description: `Tenants know you as ${isolated(answers.siteName)}.`,
    }),
    failed: (description) => ({ title: "Error", description }),
    fieldsOnly: true,
    onSaved: () => {
      form.reset(form.getValues());
      onDone();
    },
  });
  const loadSample = () =>
    void saving.run(form.getValues(), {
      save: async (filled) => {
        // What someone typed first is kept, too.
        const reply = isDirty ? await save(filled) : await call(settings.list);
        await call(sample.load);
        return reply;
      },
      saved: () => ({
        title: "Sample property loaded",
        description: "All its people and messages are invented.",
      }),
      failed: (description) => ({ title: "Error loading the sample property", description }),
    });

  return (
    <div className="grid flex-1 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <form {...saving.form} className="px-4 py-8 sm:px-8 lg:px-[clamp(2rem,4vw,3.5rem)] lg:py-9">
        <div className="mx-auto max-w-[30.5rem] lg:mx-0 lg:ml-auto">
          <h1 className="text-3xl font-bold tracking-tight">
            Welcome, <bdi translate="no">{person.firstName}</bdi>
          </h1>
          <p className="mt-1.5 text-ink-2">
            Three short questions, and you're ready to write to tenants. You can change the answers later in
            Settings.
          </p>
          <ol className="mt-7">
            <Question number={1} title="What do tenants know you as?">
              <Known form={form} />
            </Question>
            <Question number={2} title="Where are you?">
              <Place form={form} proposed={proposed} />
            </Question>
            <Question number={3} title="Where do replies go?">
              <Field
                label="Reply address"
                hint="Tenants' answers to your emails. Replies to texts stay in Porchlight."
                error={form.formState.errors.siteEmail?.message}
              >
                {(wiring) => (
                  <Input {...wiring} {...form.register("siteEmail")} type="email" autoComplete="email" />
                )}
              </Field>
            </Question>
          </ol>
          <div className="flex flex-wrap gap-3 border-t border-line pt-6">
            <Button type="submit" variant="ink" size="lg" busy={saving.saving}>
              Continue
              <ArrowRight aria-hidden />
            </Button>
            {canLoadSample && (
              <Button size="lg" disabled={saving.saving} onClick={loadSample}>
                Load the sample property instead
              </Button>
            )}
          </div>
          {canLoadSample && (
            <p className="mt-3.5 text-sm text-ink-3">
              The sample property has invented people, and sends nothing to anyone.
            </p>
          )}
        </div>
      </form>
      <section
        aria-labelledby="what-tenants-see"
        className="border-t border-line bg-sunk px-4 py-8 sm:px-8 lg:border-t-0 lg:border-l lg:px-[clamp(2rem,4vw,3.5rem)] lg:py-9"
      >
        <div className="mx-auto max-w-182 lg:sticky lg:top-9 lg:mx-0">
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4">
            <h2 id="what-tenants-see" className="font-semibold">
              What tenants will see
            </h2>
            <p className="flex items-center gap-2 text-sm text-ink-2">
              <span aria-hidden className="size-2 rounded-full bg-lamp" />
              Updates as you type
            </p>
          </div>
          <LetterPreview answers={answers} lit={lit} />
        </div>
      </section>
      <LeaveGuard active={isDirty && !saving.saving} what="Your answers are not saved." />
    </div>
  );
}

type QuestionProps = { number: number; title: string; children: ReactNode };

function Question({ number, title, children }: QuestionProps) {
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-4 gap-y-4 border-t border-line py-6">
      <span
        aria-hidden
        className="grid size-7 place-items-center rounded-full border border-line-strong text-sm font-medium text-ink-2"
      >
        {number}
      </span>
      <h2 className="self-center text-lg leading-tight font-semibold">{title}</h2>
      <div className="col-span-2 flex flex-col gap-4 sm:col-span-1 sm:col-start-2">{children}</div>
    </li>
  );
}

type FormProps = { form: UseFormReturn<Answers, unknown, Answers> };

function Known({ form }: FormProps) {
  const { errors } = form.formState;
  const [siteName, logo] = useWatch({ control: form.control, name: ["siteName", "companyLogo"] });
  const input = useRef<HTMLInputElement>(null);
  const choose = async (file: File | undefined) => {
    const taken = await takeLogo(file);
    if (taken) form.setValue("companyLogo", taken, { shouldDirty: true });
  };
  return (
    <>
      <Field
        label="Name"
        required
        hint={
          siteName.trim() === "" || prefixOf(siteName)
            ? "On top of every email, and first in every text message."
            : "On top of every email. It is too long to begin text messages."
        }
        error={errors.siteName?.message}
      >
        {(wiring) => <Input {...wiring} {...form.register("siteName")} autoComplete="organization" />}
      </Field>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        {logo && (
          <img
            src={logo}
            alt="Your logo"
            width={40}
            height={40}
            className="size-10 rounded-md border border-line bg-card object-contain"
          />
        )}
        <label
          className={`${buttonClass()} relative has-focus-visible:outline-2 has-focus-visible:outline-focus`}
        >
          <ImageUp aria-hidden />
          {logo ? "Replace logo" : "Add a logo"}
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg"
            className="absolute inset-0 cursor-pointer opacity-0"
            onChange={(event) => {
              void choose(event.target.files?.[0]);
              // The same file can be chosen again.
              event.target.value = "";
            }}
          />
        </label>
        {logo ? (
          <Button
            variant="ghost"
            onClick={() => {
              form.setValue("companyLogo", "", { shouldDirty: true });
              input.current?.focus();
            }}
          >
            Remove logo
          </Button>
        ) : (
          <span className="text-ink-3">JPG or PNG up to 2MB</span>
        )}
        <FieldError message={errors.companyLogo?.message} />
      </div>
    </>
  );
}

const byName = countries
  .map((code) => ({ code, name: countryName(code).replace(/^the /, "") }))
  .toSorted((one, other) => one.name.localeCompare(other.name, locale));

type PlaceProps = FormProps & { proposed: Answers };

function Place({ form, proposed }: PlaceProps) {
  const { errors } = form.formState;
  const [country, timezone] = useWatch({ control: form.control, name: ["country", "timezone"] });
  const asProposed = country === proposed.country && timezone === proposed.timezone;
  return (
    <>
      <Field label="Country" error={errors.country?.message}>
        {(wiring) => (
          <Select {...wiring} {...form.register("country")} autoComplete="country">
            {proposed.country === "" && <option value="">Choose a country</option>}
            {byName.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Controller
        control={form.control}
        name="timezone"
        render={({ field, fieldState }) => (
          <Field
            label="Time zone"
            required
            hint={`${asProposed ? "Filled in from your browser. " : ""}Times read “${placeOf(timezone)} time”${
              country
                ? `, and phone numbers without a country code are read as in ${countryName(country)}`
                : ""
            }.`}
            error={fieldState.error?.message}
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
    </>
  );
}
