import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";
import { countryOfZone } from "#contract/countries.ts";
import type { QueryOf, ReplyOf } from "#contract/endpoint.ts";
import type { settings } from "#contract/settings.ts";
import { nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { FALLBACK, readHomeCountry } from "#server/features/people/home-country.ts";
import { readPhone } from "#server/features/people/phone.ts";
import { phoneFormatOf } from "#server/features/people/phone-format.ts";
import { readSettings } from "#server/features/settings/queries.ts";

type Answer = ReplyOf<typeof settings.country>;

const LISTED = 100;
/** Read between other requests, because each number is compared with the country's numbering plan. */
const PAGE = 500;

/**
 * The numbers on file, read with the country that applies now, whose national digits are another number in `country`:
 * "(781) 234-5678" is on file as American, and may have been written by someone in London. They are only listed.
 */
export async function listReadAnew(
  db: Db,
  { country, timezone }: QueryOf<typeof settings.country>,
): Promise<Answer> {
  const zone = timezone ?? (await readSettings(db)).timezone;
  const after = country || (countryOfZone(zone) ?? FALLBACK);
  const before = await readHomeCountry(db);
  const answer: Answer = { country: after, example: phoneFormatOf(after).example, total: 0, first: [] };
  const prefix = `+${isSupportedCountry(before) ? getCountryCallingCode(before) : ""}`;
  if (isSupportedCountry(after) && `+${getCountryCallingCode(after)}` === prefix) return answer;
  type Row = { id: number; name: string; phone: string; last: string; first: string };
  for (let from: Row | undefined; ;) {
    const follow = from
      ? sql`(lower(u.last_name), lower(u.first_name), u.id) > (${from.last}, ${from.first}, ${from.id}::bigint)`
      : sql`true`;
    const { rows } = await sql<Row>`
      SELECT u.id, ${nameOf("u")} AS name, u.phone, lower(u.last_name) AS last, lower(u.first_name) AS first
      FROM users u WHERE u.deleted_at IS NULL AND u.phone LIKE ${`${prefix}%`} AND ${follow}
      ORDER BY lower(u.last_name), lower(u.first_name), u.id LIMIT ${PAGE}`.execute(db);
    for (const { id, name, phone } of rows) {
      const reading = readPhone(phone.slice(prefix.length), after);
      if (!("phone" in reading) || reading.phone === phone) continue;
      answer.total++;
      if (answer.first.length < LISTED)
        answer.first.push({ userId: id, name, phone, wouldBe: reading.phone });
    }
    from = rows.at(-1);
    if (rows.length < PAGE) return answer;
    await setImmediate();
  }
}
