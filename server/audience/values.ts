import { type RawBuilder, sql } from "kysely";
import type { ValuesSummary } from "#contract/calls/notification-fields.ts";
import type { ValuedRecipient } from "#contract/recipients.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { isSelfFilled } from "#contract/text/message-fields.ts";
import type { Db } from "#server/db/database.ts";

/** Values that people have for one message, from a file or from a call (docs/decisions/0220-a-value-for-each-person.md). */

/** A field that a set of values fills. `values`: the set's id. */
export type StoredValueField = { field: string; values: number };
/** The same of values that a question brings, by the person's id. */
type GivenValueField = { field: string; given: Readonly<Record<string, string>> };
export type ValueField = StoredValueField | GivenValueField;

/** The fields that a set of values fills; none without one. */
export async function readValueFields(
  db: Db,
  valuesId: number | null | undefined,
): Promise<StoredValueField[]> {
  if (valuesId === null || valuesId === undefined) return [];
  const { rows } = await sql<{ field: string }>`
    SELECT jsonb_array_elements_text(choices -> 'fills') AS field FROM imports
    WHERE id = ${valuesId} AND purpose = 'values'`.execute(db);
  return rows.map(({ field }) => ({ field, values: valuesId }));
}

/** Of `imports`: values that a message can have. Those of archived messages are gone. */
export const isSet = sql<boolean>`(purpose = 'values' AND emptied_at IS NULL)`;

/** Of `imports`: a message has it, or it is this person's, of the last day. */
export const isReadable = (userId: number): RawBuilder<boolean> =>
  sql<boolean>`(kept_at IS NOT NULL OR created_by = ${userId} AND created_at > now() - interval '24 hours')`;

/** What is said of a set of values; null without one. */
export async function readValuesSummary(db: Db, valuesId: number | null): Promise<ValuesSummary | null> {
  if (valuesId === null) return null;
  const { rows } = await sql<ValuesSummary>`
    SELECT id, name, (SELECT count(*) FROM person_values v WHERE v.values_id = i.id) AS people,
      choices -> 'fills' AS fields
    FROM imports i WHERE id = ${valuesId} AND ${isSet}`.execute(db);
  return rows[0] ?? null;
}

/** Whether a message can have these values. Until one has them, they are for who brought them: `userId`, if someone chooses. */
export async function valuesThere(db: Db, valuesId: number, userId?: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM imports WHERE id = ${valuesId} AND ${isSet}
      AND ${userId === undefined ? sql`true` : isReadable(userId)}`.execute(db);
  return rows.length > 0;
}

/** The fields that recipients of a call bring values for. Throws invalid-input for one that fills itself, and for a second value. */
export function givenFields(recipients: readonly ValuedRecipient[]): GivenValueField[] {
  const byField = new Map<string, Record<string, string>>();
  for (const [index, { id, values = {} }] of recipients.entries()) {
    for (const [field, value] of Object.entries(values)) {
      if (isSelfFilled(field)) throw refusal("value-from-record", { index, field });
      if (value.trim() === "") continue;
      const given = byField.get(field) ?? {};
      const written = value.trim();
      if ((given[id] ?? written) !== written) throw refusal("two-values", { index, field });
      byField.set(field, Object.assign(given, { [id]: written }));
    }
  }
  return [...byField].map(([field, given]) => ({ field, given }));
}

/** Keeps the values that recipients of a call bring, as a file's are. Answers the set's id; null if they bring none. */
export async function storeGiven(
  db: Db,
  recipients: readonly ValuedRecipient[],
  userId: number,
): Promise<number | null> {
  const given = givenFields(recipients);
  if (given.length === 0) return null;
  const people = recipients.map(({ id }) => ({
    id,
    own: Object.fromEntries(
      given.flatMap((one) => {
        const value = one.given[id];
        return value === undefined ? [] : [[one.field, value]];
      }),
    ),
  }));
  const byId = new Map(
    people.filter(({ own }) => Object.keys(own).length > 0).map(({ id, own }) => [id, own]),
  );
  const { rows } = await sql<{ id: number }>`
    WITH stored AS (
      INSERT INTO imports (name, size, purpose, choices, created_by)
      VALUES ('', 0, 'values', ${JSON.stringify({ fills: given.map(({ field }) => field) })}, ${userId})
      RETURNING id
    ), people AS (
      INSERT INTO person_values (values_id, user_id, field_values)
      SELECT stored.id, u.id, own.own
      FROM stored, unnest(${[...byId.keys()]}::bigint[], ${[...byId.values()].map((own) => JSON.stringify(own))}::jsonb[])
        AS own (id, own)
      JOIN users u ON u.id = own.id
    )
    SELECT id FROM stored`.execute(db);
  return rows[0]!.id;
}

/** The value of a person of `users u`, as the message writes it; null if there is none. */
export function ownValue(own: ValueField): RawBuilder<string | null> {
  if ("given" in own) return sql`(${JSON.stringify(own.given)}::jsonb ->> u.id::text)`;
  return sql`(SELECT v.field_values ->> ${own.field}::text FROM person_values v
    WHERE v.values_id = ${own.values} AND v.user_id = u.id)`;
}

export const isStoredValue = (needed: string | object): needed is StoredValueField =>
  typeof needed === "object" && "values" in needed;

/** The same of several fields of one set, as a JSON object. Each person's row is read once. */
export function ownValues(fields: readonly StoredValueField[]): RawBuilder<Record<string, string | null>> {
  // As parameters: a prepared statement's text is kept, and every message would have one of its own.
  const pairs = fields.map(({ field }) => sql`${field}::text, v.field_values -> ${field}::text`);
  return sql`coalesce((SELECT jsonb_build_object(${sql.join(pairs)}) FROM person_values v
    WHERE v.values_id = ${fields[0]!.values} AND v.user_id = u.id), '{}')`;
}

/** Whether a person of `users u` has values in this set. Alone, it reads both tables in the order of the people. */
export const hasValues = (valuesId: number): RawBuilder<boolean> =>
  sql<boolean>`u.id IN (SELECT v.user_id FROM person_values v WHERE v.values_id = ${valuesId})`;

/** From now on, the values stay as they are: a message has them. */
export async function keepValues(tx: Db, valuesId: number | null): Promise<void> {
  if (valuesId === null) return;
  await sql`UPDATE imports SET kept_at = now() WHERE id = ${valuesId} AND kept_at IS NULL`.execute(tx);
}
