import { countryOfZone } from "#contract/text/countries.ts";
import { dateFormOf, setHomeDates } from "#contract/text/home-dates.ts";
import { numberFormOf } from "#contract/text/currencies.ts";
import { setHomeNumbers } from "#contract/text/home-numbers.ts";
import type { Db } from "#server/db/database.ts";
import { readSettings } from "#server/features/settings/queries.ts";

/** Where no country is chosen, and the time zone belongs to none. */
export const FALLBACK = "US";

/** The country whose numbers are written without a country code, as an ISO code. */
export async function readHomeCountry(db: Db): Promise<string> {
  const { country, timezone } = await readSettings(db);
  return country || (countryOfZone(timezone) ?? FALLBACK);
}

/** From now on, this process writes dates, numbers and amounts as in that country. */
export async function applyHomeCountry(db: Db): Promise<void> {
  const country = await readHomeCountry(db);
  setHomeDates(dateFormOf(country));
  setHomeNumbers(numberFormOf(country));
}

const AGAIN_MS = 60_000;

/** The same until it is stopped, with what another process has saved meanwhile. */
export async function followHomeCountry(db: Db): Promise<{ stop: () => Promise<void> }> {
  await applyHomeCountry(db);
  const timer = setInterval(() => void applyHomeCountry(db).catch(() => undefined), AGAIN_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}
