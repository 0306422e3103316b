import { type RawBuilder, sql } from "kysely";
import { isMonthFirst } from "#contract/text/home-dates.ts";
import { homeNumbers } from "#contract/text/home-numbers.ts";
import type { ValuedRecipient } from "#contract/recipients.ts";
import { type DetailFields, valueOf } from "#contract/text/message-fields.ts";
import type { Detail } from "#contract/text/kept-details.ts";
import type { Db } from "#server/db/database.ts";
import { givenFields, readValueFields, type ValueField } from "./values.ts";

/** Every detail that is kept of people, by name. */
export async function readDetails(db: Db): Promise<Detail[]> {
  const { rows } = await sql<Detail>`
    SELECT id, label, field, kind FROM details ORDER BY by_number(fold(label)) COLLATE "C", id`.execute(db);
  return rows;
}

/** The fields that messages can be filled with from details. */
export async function detailFields(db: Db): Promise<DetailFields> {
  return new Set((await readDetails(db)).map(({ field }) => field));
}

/** A change of a person's values, by the names of the details instead of their ids, for the audit log. */
export async function withLabels(
  db: Db,
  change: readonly [unknown, unknown],
): Promise<[Record<string, string>, Record<string, string>]> {
  const labels = new Map((await readDetails(db)).map(({ id, label }) => [String(id), label]));
  const named = (values: unknown) =>
    Object.fromEntries(
      Object.entries(values as Record<string, string>).map(([id, value]) => [labels.get(id) ?? id, value]),
    );
  return [named(change[0]), named(change[1])];
}

/** A detail as a message's run keeps it: what is written for its field, and how. */
export type DetailField = Pick<Detail, "id" | "field" | "kind">;

/** A field that a message needs: one of a person's record by its name, a detail, or a value of this message alone. */
export type NeededField = string | DetailField | ValueField;

/** What a message says beside its text: what was typed for everyone, and where each person's own values are. */
type Filled = {
  typed?: Readonly<Record<string, unknown>>;
  valuesId?: number | null | undefined;
  recipients?: readonly ValuedRecipient[];
};

/**
 * The fields of a message with what fills them for each person: its own values, or otherwise the details that no one has
 * typed a value for. Someone typed `amount` for everyone before there was such a detail, and it goes on meaning that.
 */
export async function withPersonal(
  db: Db,
  fields: readonly string[],
  { typed = {}, valuesId, recipients = [] }: Filled = {},
): Promise<NeededField[]> {
  if (fields.length === 0) return [];
  const all = [...givenFields(recipients), ...(await readValueFields(db, valuesId))];
  const own = all.filter(({ field }) => fields.includes(field));
  const { rows } = await sql<DetailField>`
    SELECT id, field, kind FROM details WHERE field = ANY(${[...fields]}::text[]) ORDER BY id`.execute(db);
  const details = rows.filter(
    ({ field }) => !own.some((one) => one.field === field) && !isTyped(valueOf(typed, field)),
  );
  return [...fields, ...details, ...own];
}

const isTyped = (value: unknown) => (typeof value === "string" ? value.trim() !== "" : value !== undefined);

/** The same of a run, as its compiled content has them. */
export const neededFields = (compiled: RawBuilder<unknown>): RawBuilder<NeededField[]> => sql`(
  SELECT coalesce(jsonb_agg(needed ORDER BY needed), '[]')
  FROM jsonb_array_elements((${compiled} -> 'fields') || coalesce(${compiled} -> 'details', '[]')
    || coalesce(${compiled} -> 'values', '[]')) needed)`;

/** A person's stored value, of `users u`; null if there is none. */
export const detailValue = ({ id }: Pick<Detail, "id">): RawBuilder<string | null> =>
  sql`(u.details ->> ${sql.lit(String(id))})`;

/** The same as messages have it: `writtenDetail` in SQL. */
export function detailText(detail: DetailField): RawBuilder<string | null> {
  const value = detailValue(detail);
  const { digits, before, after, group, point, lakhs } = homeNumbers();
  switch (detail.kind) {
    case "text":
      return value;
    case "date":
      return sql`to_char(${value}::date, ${sql.lit(isMonthFirst() ? "FMMonth FMDD, YYYY" : "FMDD FMMonth YYYY")})`;
    case "number":
      return sql`written_number(${value}, 0, '', '', ${sql.lit(group)}, ${sql.lit(point)}, ${sql.lit(lakhs)})`;
    case "amount":
      return sql`written_number(${value}, ${sql.lit(digits)}, ${sql.lit(before)}, ${sql.lit(after)}, ${sql.lit(group)},
        ${sql.lit(point)}, ${sql.lit(lakhs)})`;
    default:
      return detail.kind satisfies never;
  }
}
