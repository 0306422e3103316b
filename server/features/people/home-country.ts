import { countryOfZone } from "#contract/text/countries.ts";
import type { Db } from "#server/db/database.ts";
import { readSettings } from "#server/features/settings/queries.ts";

/** Where no country is chosen, and the time zone belongs to none. */
export const FALLBACK = "US";

/** The country whose numbers are written without a country code, as an ISO code. */
export async function readHomeCountry(db: Db): Promise<string> {
  const { country, timezone } = await readSettings(db);
  return country || (countryOfZone(timezone) ?? FALLBACK);
}
