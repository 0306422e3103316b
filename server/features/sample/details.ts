import { sql } from "kysely";
import { storedDetail } from "#contract/text/person-details.ts";
import type { Db } from "#server/db/database.ts";
import { readDetails } from "#server/audience/details.ts";
import { usesOfDetail } from "#server/features/details/uses.ts";
import { type SamplePerson, tenants } from "#server/features/sample/people.ts";

/** What the rent reminder and the late notice write for each tenant. The reminder's own field is `amount`. */
const sampleDetails = [
  { label: "Rent", field: "amount", of: rentOf },
  { label: "Balance", field: "balance", of: balanceOf },
];

const rents: Record<string, number> = {
  "Maple Court": 1650,
  "Harbor View": 2240,
  "Cedar Lofts": 1980,
  "Garden Row": 2760,
};

/** Higher floors cost more, and so do the corners. */
function rentOf({ property, unit }: SamplePerson): number {
  const [, floor = "1", letter = "A"] = /^(\d+)(\D?)/.exec(unit ?? "") ?? [];
  const corner = letter === "A" || letter === "" ? 60 : 0;
  return (rents[property ?? ""] ?? 0) + Math.min(Number(floor), 12) * 35 + corner;
}

/** Most have paid. Some owe a fee, some a month, and some both. */
function balanceOf(person: SamplePerson, k: number): number {
  const fee = k % 13 === 6 ? 75 : 0;
  return k % 11 === 4 ? rentOf(person) + fee : fee;
}

/** Unless there are others of these names. */
export async function addDetails(tx: Db): Promise<void> {
  await sql`
    INSERT INTO details (label, field, kind, of_sample)
    SELECT label, field, 'amount', true
    FROM jsonb_to_recordset(${JSON.stringify(sampleDetails)}::jsonb) AS t (label text, field text)
    ON CONFLICT DO NOTHING`.execute(tx);
}

/** @param ids those of `tenants()`, by their place */
export async function fillDetails(tx: Db, ids: ReadonlyMap<number, number>): Promise<void> {
  const { rows } = await sql<{ id: number; field: string }>`
    SELECT id, field FROM details WHERE of_sample ORDER BY id`.execute(tx);
  const people = tenants();
  const values = [...ids].map(([k, id]) => ({
    id,
    details: Object.fromEntries(
      rows.map((detail) => {
        const amount = sampleDetails.find(({ field }) => field === detail.field)!.of(people[k]!, k);
        return [detail.id, storedDetail("amount", String(amount))];
      }),
    ),
  }));
  await sql`
    UPDATE users u SET details = t.details
    FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS t (id bigint, details jsonb) WHERE u.id = t.id`.execute(
    tx,
  );
}

/** Those that no one else has, and that nothing needs which someone made; others stay. Call it once its people are gone. */
export async function removeDetails(tx: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT d.id FROM details d WHERE d.of_sample AND NOT EXISTS (
      SELECT FROM users u WHERE u.details ? d.id::text AND u.deleted_at IS NULL)`.execute(tx);
  const unused = new Set(rows.map(({ id }) => id));
  for (const detail of (await readDetails(tx)).filter(({ id }) => unused.has(id))) {
    const uses = await usesOfDetail(tx, detail);
    const own = uses.filter(({ type }) => type !== "template").length;
    const templates = uses.flatMap(({ type, id }) => (type === "template" ? [id] : []));
    // Those that every Porchlight begins with ask for what no detail has.
    const { rows: made } = await sql`
      SELECT FROM templates WHERE id = ANY(${templates}::bigint[]) AND slug IS NULL LIMIT 1`.execute(tx);
    if (own + made.length > 0) continue;
    await sql`DELETE FROM details WHERE id = ${detail.id}`.execute(tx);
    await sql`UPDATE users SET details = details - ${String(detail.id)}::text
      WHERE details ? ${String(detail.id)}::text`.execute(tx);
  }
  await sql`UPDATE details SET of_sample = false WHERE of_sample`.execute(tx);
}
