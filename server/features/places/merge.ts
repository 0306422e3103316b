import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { fold } from "#contract/text/fold.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { checkPlansFor } from "#server/features/places/check-plans.ts";
import { readPlaceRow } from "#server/features/places/read-properties.ts";
import { holdPlaces } from "#server/features/places/save-property.ts";
import { nameProperty } from "#server/features/places/spell-property.ts";
import { isUsed } from "#server/features/schedules/use-of-recipient.ts";
import type { By } from "#server/http/route.ts";
import { setInstants } from "#server/places/store.ts";

/** What a merge replaced: enough to take it apart again. */
type Merged = {
  id: number;
  name: string;
  /** The spellings it had. */
  names: string[];
  /** Its homes. */
  units: number[];
  /** Of those, the ones that the other property had as well, with their residencies. */
  twins: { id: number; into: number; residencies: number[] }[];
  groups: { id: number; name: string; description: string; rule: unknown }[];
};

/** Makes a property a spelling of another one. Throws not-found, and conflict if it is the same. */
export async function mergeProperties(
  db: Db,
  from: number,
  into: number,
  by: By,
): Promise<{ from: string; into: string }> {
  return transaction(db, async (tx) => {
    await holdPlaces(tx);
    if (from === into) throw refusal("property-merged-into-itself");
    const [{ name, archived }, target] = [await readPlaceRow(tx, from), await readPlaceRow(tx, into)];
    const merged = await whatMoves(tx, { from, into, name });
    await sql`UPDATE property_names SET property_id = ${into} WHERE property_id = ${from}`.execute(tx);
    const [twins, others] = [merged.twins.map(({ id }) => id), merged.twins.map((one) => one.into)];
    await sql`
      UPDATE residencies r SET unit_id = x.twin FROM unnest(${twins}::bigint[], ${others}::bigint[]) x (id, twin)
      WHERE r.unit_id = x.id`.execute(tx);
    await sql`
      UPDATE units h SET merged_into = x.twin FROM unnest(${twins}::bigint[], ${others}::bigint[]) x (id, twin)
      WHERE h.id = x.id`.execute(tx);
    await sql`UPDATE units SET property_id = ${into} WHERE property_id = ${from}`.execute(tx);
    await sql`UPDATE properties SET merged_into = ${into} WHERE id = ${from}`.execute(tx);
    // Whoever lives in these homes is reached there.
    if (!archived) await sql`UPDATE properties SET archived_at = NULL WHERE id = ${into}`.execute(tx);
    await sql`
      INSERT INTO home_changes (kind, property_id, before, after, actor_id)
      VALUES ('merge', ${into}, ${JSON.stringify(merged)}::jsonb, '{}', ${by.user.id})`.execute(tx);
    await nameProperty(tx, into, merged.names);
    await removeIdleGroups(
      tx,
      merged.groups.map(({ id }) => id),
      target.name,
    );
    await setInstants(tx, null);
    await recordAudit(tx, {
      by,
      action: "property.merge",
      subject: { type: "property", id: into },
      detail: { name: target.name, merged: name, homes: merged.units.length },
    });
    await checkPlansFor(tx, into);
    return { from: name, into: target.name };
  });
}

async function whatMoves(
  tx: Db,
  { from, into, name }: { from: number; into: number; name: string },
): Promise<Merged> {
  const names = await sql<{
    name: string;
  }>`SELECT name FROM property_names WHERE property_id = ${from}`.execute(tx);
  const units = await sql<{ id: number; into: number | null; residencies: number[] }>`
    SELECT h.id, twin.id AS into, ARRAY(SELECT r.id FROM residencies r WHERE r.unit_id = h.id) AS residencies
    FROM units h LEFT JOIN units twin ON twin.property_id = ${into} AND twin.key = h.key AND twin.merged_into IS NULL
    WHERE h.property_id = ${from} AND h.merged_into IS NULL ORDER BY h.id`.execute(tx);
  const spellings = [...new Set([name, ...names.rows.map((row) => row.name)])];
  const groups = await sql<Merged["groups"][number]>`
    SELECT id, name, description, rule FROM user_groups
    WHERE rule ? 'property' AND rule->>'property' = ANY(${spellings}::text[])`.execute(tx);
  return {
    id: from,
    name,
    names: spellings,
    units: units.rows.map(({ id }) => id),
    twins: units.rows.flatMap(({ id, into: twin, residencies }) =>
      twin === null ? [] : [{ id, into: twin, residencies }],
    ),
    groups: groups.rows,
  };
}

/** One property has one built-in group, unless something uses another one. */
async function removeIdleGroups(tx: Db, ids: readonly number[], name: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM user_groups WHERE built_in AND id = ANY(${[...ids]}::bigint[]) AND name <> ${name}`.execute(
    tx,
  );
  for (const { id } of rows)
    if (!(await isUsed(tx, id))) await sql`DELETE FROM user_groups WHERE id = ${id}`.execute(tx);
}

/** Takes the last merge into a property apart. Who has come to a home since stays where they are. */
export async function unmergeProperty(db: Db, into: number, by: By): Promise<{ from: string; into: string }> {
  return transaction(db, async (tx) => {
    await holdPlaces(tx);
    const target = await readPlaceRow(tx, into);
    const { rows } = await sql<{ id: number; before: Merged }>`
      SELECT id, before FROM home_changes WHERE kind = 'merge' AND property_id = ${into} AND undone_at IS NULL
      ORDER BY id DESC LIMIT 1`.execute(tx);
    const [change] = rows;
    if (!change) throw refusal("nothing-merged");
    const { before } = change;
    // The other one has been given this name since.
    if (fold(target.name) === fold(before.name)) throw refusal("property-name-taken", { name: target.name });
    await sql`UPDATE properties SET merged_into = NULL WHERE id = ${before.id}`.execute(tx);
    await sql`UPDATE property_names SET property_id = ${before.id}
      WHERE property_id = ${into} AND name = ANY(${before.names}::text[]) AND name <> ${target.name}`.execute(
      tx,
    );
    await sql`UPDATE units SET property_id = ${before.id}, merged_into = NULL WHERE id = ANY(${before.units}::bigint[])`.execute(
      tx,
    );
    for (const { id, into: twin, residencies } of before.twins) {
      await sql`UPDATE residencies SET unit_id = ${id} WHERE unit_id = ${twin} AND id = ANY(${residencies}::bigint[])`.execute(
        tx,
      );
    }
    // What else someone has changed about these groups since stays.
    await sql`
      UPDATE user_groups g SET rule = jsonb_set(g.rule, '{property}', x.rule->'property'),
        name = CASE WHEN g.built_in AND NOT EXISTS (SELECT FROM user_groups o WHERE o.id <> g.id AND lower(o.name) = lower(x.name))
          THEN x.name ELSE g.name END,
        description = CASE WHEN g.built_in THEN x.description ELSE g.description END
      FROM jsonb_to_recordset(${JSON.stringify(before.groups)}::jsonb) AS x (id bigint, name text, description text, rule jsonb)
      WHERE g.id = x.id AND g.rule->>'property' = ${target.name}`.execute(tx);
    await nameProperty(tx, before.id, []);
    await nameProperty(tx, into, []);
    await setInstants(tx, null);
    await sql`UPDATE home_changes SET undone_at = now() WHERE id = ${change.id}`.execute(tx);
    await recordAudit(tx, {
      by,
      action: "property.unmerge",
      subject: { type: "property", id: into },
      detail: { name: target.name, merged: before.name },
    });
    for (const id of [into, before.id]) await checkPlansFor(tx, id);
    return { from: before.name, into: target.name };
  });
}
