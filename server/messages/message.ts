import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import { audienceText } from "#contract/calls/notifications.ts";
import type { Schema } from "#server/db/schema.ts";

/**
 * The fields of a message and the columns of `notifications` that hold them. Reading, storing, comparing and copying a
 * message all follow from this table. `empty`: the value of what has nothing of its own there; `json`: lists and objects are stored as JSON.
 */
const fields = {
  title: { column: "title", empty: "" },
  messageType: { column: "message_type", empty: "custom" },
  /** Where its text comes from. */
  templateId: { column: "template_id", empty: null },
  /** Of an email, if its template has one. */
  subject: { column: "subject", empty: "" },
  content: { column: "content", empty: "" },
  /** The text comes from an email template or was written like one, so its bold, links and lists are formatting. */
  formatted: { column: "formatted", empty: false },
  fieldValues: { column: "field_values", empty: {}, json: true },
  class: { column: "class", empty: "general" },
  channels: { column: "channels", empty: [] },
  audience: { column: "audience", empty: [], json: true },
  /** Whom each run of a schedule leaves out. */
  skipIf: { column: "skip_if", empty: null, json: true },
  /** Of the people of one home, one gets it. */
  perHome: { column: "per_home", empty: false },
  attachmentIds: { column: "attachment_ids", empty: [] },
  /** Where each person's own values are. */
  valuesId: { column: "values_id", empty: null },
} as const satisfies {
  [Field in string]: { column: keyof Row; empty: Row[keyof Row] | readonly never[]; json?: true };
};

type Row = Selectable<Schema["notifications"]>;
type Fields = typeof fields;
type Field = keyof Fields;

/** What goes out, to whom and on which channels. */
export type Message = { [F in Field]: Row[Fields[F]["column"]] };

const names = Object.keys(fields) as Field[];

export const emptyMessage = Object.fromEntries(
  names.map((field) => [field, fields[field].empty]),
) as unknown as Message;

/** The columns of `notifications` under this alias, as a `Message`. */
export function messageColumns(alias: string): RawBuilder<unknown> {
  return sql.join(
    names.map((field) => sql`${sql.ref(`${alias}.${fields[field].column}`)} AS ${sql.ref(field)}`),
  );
}

/** The message of what holds one beside other things. */
export function messageIn(holder: Message): Message {
  return Object.fromEntries(names.map((field) => [field, holder[field]])) as Message;
}

type Columns = Pick<Insertable<Schema["notifications"]>, Fields[Field]["column"] | "audience_text">;

/** The columns to store. */
export function messageRow(message: Message): Columns {
  const columns = names.map((field) => {
    const value: unknown = message[field];
    const asJson = "json" in fields[field] && value !== null;
    return [fields[field].column, asJson ? JSON.stringify(value) : value];
  });
  return { ...Object.fromEntries(columns), audience_text: audienceText(message.audience) } as Columns;
}

/** Each field by its column, to compare a message with what it was. */
export function messageValues(message: Message): Partial<Row> {
  return Object.fromEntries(names.map((field) => [fields[field].column, message[field]]));
}
