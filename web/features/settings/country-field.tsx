import { Link } from "@tanstack/react-router";
import { Controller, useWatch, type Control } from "react-hook-form";
import { countries, countryName, countryOfZone } from "#contract/text/countries.ts";
import { counted } from "#contract/text/count-text.ts";
import { settings, type Settings } from "#contract/calls/settings.ts";
import { locale, numberText } from "#contract/text/locale.ts";
import { useRead } from "#web/api/use-read.ts";
import { settingLabel } from "#web/features/settings/settings-form.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { SearchSelect } from "#web/ui/form/search-select.tsx";

type Values = Pick<Settings, "country" | "timezone">;

const nameOf = (code: string) => countryName(code).replace(/^the /, "");

/** "Time zone's country (United Kingdom)", then every country by name. */
const optionsFor = (timezone: string) => {
  const ofZone = countryOfZone(timezone);
  const named = countries.map((code) => ({ key: code, label: nameOf(code) }));
  return [
    { key: "", label: ofZone ? `As the time zone (${nameOf(ofZone)})` : "As the time zone" },
    ...named.toSorted((one, other) => one.label.localeCompare(other.label, locale)),
  ];
};

/** The country of phone numbers. Before it changes, the numbers that it would read otherwise are listed. */
export function CountryField({ control, stored }: { control: Control<Values>; stored: Values }) {
  const [country, timezone] = useWatch({ control, name: ["country", "timezone"] });
  const options = optionsFor(timezone);
  const changed = country !== stored.country || (country === "" && timezone !== stored.timezone);
  return (
    <Controller
      control={control}
      name="country"
      render={({ field, fieldState }) => (
        <>
          <Field
            label={settingLabel.country}
            hint="Dates, and phone numbers without a country code, are read and shown as written there."
            error={fieldState.error?.message}
            className="sm:max-w-sm"
          >
            {(wiring) => (
              <SearchSelect
                {...wiring}
                chosen={options.find(({ key }) => key === field.value)?.label ?? field.value}
                search={(text) => {
                  const found = options.filter(({ key, label }) =>
                    `${label} ${key}`.toLowerCase().includes(text.trim().toLowerCase()),
                  );
                  return Promise.resolve({ options: found, total: found.length });
                }}
                onPick={({ key }) => field.onChange(key)}
                placeholder="Choose a country"
                emptyText="No countries found"
              />
            )}
          </Field>
          {changed && <ReadAnew country={country} timezone={timezone} />}
        </>
      )}
    />
  );
}

function ReadAnew({ country, timezone }: Values) {
  const { data, isError } = useRead(settings.country, { query: { country, timezone } }, { fresh: true });
  if (isError) return <Note>We couldn't check the numbers on file.</Note>;
  if (!data) return <Note>Checking the numbers on file…</Note>;
  const where = countryName(data.country);
  if (data.total === 0) return <Note>{`No number on file would be another one in ${where}.`}</Note>;
  const more = data.total - data.first.length;
  return (
    <div className="mt-3 rounded-md bg-sunk px-3.5 py-3 text-sm">
      <p>
        {`${counted(data.total, "number")} on file would be another one if it was meant for ${where}. Nothing changes by itself. Check these people:`}
      </p>
      <ul className="mt-2 flex max-h-60 flex-col gap-1 overflow-y-auto">
        {data.first.map(({ userId, name, phone, wouldBe }) => (
          <li key={userId} className="flex flex-wrap gap-x-3">
            <Link to="/users" search={{ person: userId }} className="underline underline-offset-2">
              <bdi translate="no">{name}</bdi>
            </Link>
            <span className="text-ink-2 tabular-nums">{`${phone}, in ${where} ${wouldBe}`}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-2 text-ink-2">{`And ${numberText(more)} more.`}</p>}
    </div>
  );
}

const Note = ({ children }: { children: string }) => (
  <output className="mt-2 block text-sm text-ink-2">{children}</output>
);
