import { type RawBuilder, sql } from "kysely";
import type { DetailCondition } from "#contract/calls/detail-conditions.ts";
import { settingTable } from "#contract/calls/settings.ts";
import { folded } from "#server/db/like.ts";
import { detailValue } from "./details.ts";

/** The organization's day. */
const today = sql`(now() AT TIME ZONE coalesce((SELECT value FROM settings WHERE key = 'timezone'),
  ${sql.lit(settingTable.timezone.default)}))::date`;

const operators = {
  is: sql`=`,
  "is-not": sql`<>`,
  over: sql`>`,
  under: sql`<`,
  "at-least": sql`>=`,
  "at-most": sql`<=`,
  before: sql`<`,
  after: sql`>`,
} as const;

/** Whether a person of `users u` meets this, by exact numbers and by the organization's day. Never null. */
export function meets(condition: DetailCondition): RawBuilder<boolean> {
  const { kind, is, value } = condition;
  const own = detailValue({ id: condition.detail });
  switch (is) {
    case "on-file":
      return sql<boolean>`(${own} IS NOT NULL)`;
    case "missing":
      return sql<boolean>`(${own} IS NULL)`;
    case "past":
      return sql<boolean>`((${own}::date < ${today}) IS TRUE)`;
    case "within-days":
      return sql<boolean>`((${own}::date BETWEEN ${today} AND ${today} + ${Number(value)}::int) IS TRUE)`;
    default: {
      const operator = operators[is];
      if (kind === "text")
        return sql<boolean>`((${folded(own)} ${operator} ${folded(sql`${value}::text`)}) IS TRUE)`;
      const type = kind === "date" ? sql`date` : sql`numeric`;
      return sql<boolean>`((${own}::${type} ${operator} ${value}::${type}) IS TRUE)`;
    }
  }
}
