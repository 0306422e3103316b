import { setImmediate } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";
import { countryOfZone } from "#contract/text/countries.ts";
import type { QueryOf, ReplyOf } from "#contract/endpoint.ts";
import type { settings } from "#contract/calls/settings.ts";
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
  for (let from: Row | undefined; ;) {
    const { rows } = await pageOfNumbers(prefix, from).execute(db);
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

type Row = { id: number; name: string; phone: string; key: string };

/** The people after `from`, by name, who have a number that begins with the prefix. Each page is read from an index. */
export function pageOfNumbers(prefix: string, from: Row | undefined): RawBuilder<Row> {
  const follow = from ? sql`(u.name_key, u.id) > (${from.key}, ${from.id}::bigint)` : sql`true`;
  return sql<Row>`
    SELECT u.id, ${nameOf("u")} AS name, u.phone, u.name_key AS key
    FROM users u WHERE u.deleted_at IS NULL AND u.phone LIKE ${`${prefix}%`} AND ${follow}
    ORDER BY u.name_key, u.id LIMIT ${PAGE}`;
}
