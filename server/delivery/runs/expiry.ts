import { sql, type RawBuilder } from "kysely";
import { channels, expiryHours, messageClasses, type MessageClass } from "#contract/delivery.ts";

/** How long a message of this class may still be sent, by `column`, the channel. */
export function lifetime(messageClass: string, column: RawBuilder<unknown>): RawBuilder<unknown> {
  const hours = expiryHours[messageClasses.find((known) => known === messageClass) ?? "general"];
  const cases = channels.map((channel) => sql`WHEN ${sql.lit(channel)} THEN ${sql.lit(hours[channel])}`);
  return sql`(CASE ${column} ${sql.join(cases, sql` `)} END * interval '1 hour')`;
}

const priorities: Record<MessageClass, number> = { emergency: 0, transactional: 1, general: 2 };
export const EMERGENCY = priorities.emergency;

/** The smaller number goes first. */
export function priorityOf(messageClass: string): number {
  return priorities[messageClasses.find((known) => known === messageClass) ?? "general"];
}
