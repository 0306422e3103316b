import { type RawBuilder, sql } from "kysely";
import type { api } from "#contract/api.ts";
import type { BodyOf, ReplyOf } from "#contract/endpoint.ts";
import { address, personValuesSql } from "#server/audience/person.ts";
import { gets } from "#server/audience/reach.ts";
import { inAudience } from "#server/audience/audience.ts";
import { columnsOfHome, heads, joinHome } from "#server/audience/per-home.ts";
import type { Db } from "#server/db/database.ts";
import { type FieldValues, neededIn } from "#server/delivery/content/compiled.ts";
import { renderSms } from "#server/delivery/content/render.ts";
import { smsParts } from "#server/delivery/content/sms.ts";
import type { Organization } from "#server/delivery/runs/start-run.ts";
import { compileDraft } from "#server/features/audience/preview.ts";

const PAGE = 5000;

type Texts = ReplyOf<typeof api.audience.texts>;
type Draft = Omit<BodyOf<typeof api.audience.texts>, "channels">;

/** How many texts go out, and their parts: of several people with one number, one gets it. Null while a field is open. */
export async function countTexts(
  db: Db,
  draft: Draft,
  settings: Organization & { now: Date },
): Promise<Texts> {
  const written = { ...draft, channels: ["sms" as const], attachments: [] };
  const { compiled, missing, filled } = await compileDraft(db, written, settings, { key: "texts" });
  if (!compiled || missing.length > 0) return null;
  const fields = neededIn(compiled);
  const among = await inAudience(db, draft.recipients);
  const getsOne = sql<boolean>`${among} AND ${gets("sms", fields)}`;
  const those = draft.perHome ? await onePerHome(db, among, getsOne) : getsOne;
  const seen = new Set<string>();
  let parts = 0;
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number; number: string; values: FieldValues }>`
      SELECT u.id, ${address.sms} AS number, ${personValuesSql(fields)} AS values FROM users u
      WHERE ${those} AND u.id > ${after} ORDER BY u.id LIMIT ${PAGE}`.execute(db);
    for (const { number, values } of rows) {
      if (seen.has(number)) continue;
      seen.add(number);
      parts += smsParts(renderSms(compiled, filled(values)).text).parts;
    }
    if (rows.length < PAGE) return { texts: seen.size, parts };
    after = rows.at(-1)!.id;
  }
}

/** Those of `users u` whose text goes to their home. */
async function onePerHome(
  db: Db,
  among: RawBuilder<boolean>,
  getsOne: RawBuilder<boolean>,
): Promise<RawBuilder<boolean>> {
  const { rows } = await sql<{ id: number }>`
    SELECT user_id AS id FROM (
      SELECT user_id, ${heads()} FROM (
        SELECT u.id AS user_id, 'sms' AS channel, ${address.sms} AS address,
          CASE WHEN NOT ${getsOne} THEN 'none' END AS reason ${columnsOfHome}
        FROM users u ${joinHome} WHERE ${among}) lines) l
    WHERE head = user_id`.execute(db);
  return sql<boolean>`u.id = ANY(${rows.map(({ id }) => id)}::bigint[])`;
}
