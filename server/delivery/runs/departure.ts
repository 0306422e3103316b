import { sql, type RawBuilder } from "kysely";
import { channels, type ClassPolicy, classPolicy, messageClasses } from "#contract/delivery.ts";

/** Which delivery leaves first, from when on, and until when. */

/** A class that only a newer version knows is handled like a general message. */
const policyOf = (messageClass: string): ClassPolicy =>
  classPolicy[messageClasses.find((known) => known === messageClass) ?? "general"];

/** The smaller number goes first. */
export const priorityOf = (messageClass: string): number => policyOf(messageClass).priority;
export const priorities: readonly number[] = messageClasses.map(priorityOf);
export const EMERGENCY = priorityOf("emergency");

/** How long a message of this class may still be sent, by `column`, the channel. */
export function lifetime(messageClass: string, column: RawBuilder<unknown>): RawBuilder<unknown> {
  const hours = policyOf(messageClass).validHours;
  const cases = channels.map((channel) => sql`WHEN ${sql.lit(channel)} THEN ${sql.lit(hours[channel])}`);
  return sql`(CASE ${column} ${sql.join(cases, sql` `)} END * interval '1 hour')`;
}

/** A pause before another try, an interval or null for none, of a delivery that keeps these times. */
type Pause = { pause: RawBuilder<unknown>; dueAt: RawBuilder<unknown>; expiresAt: RawBuilder<unknown> };

/** In an object, so that a test can hold deliveries back and see who asks. */
export const departure = {
  /**
   * The earliest moment at which a delivery may leave, in SQL. Everything that queues a delivery asks this, whether it
   * is new, retried, put off by a provider, or pulled back from a time that a wrong clock gave it: a later moment can
   * come from nowhere else. Without a pause it keeps its place in the queue, and no pause is longer than half of the
   * time in which it can still be sent, down to a second.
   */
  notBefore(again?: Pause): RawBuilder<unknown> {
    if (!again) return sql`now()`;
    const { pause, dueAt, expiresAt } = again;
    return sql`(CASE WHEN ${pause} IS NULL THEN ${dueAt}
      ELSE now() + least(${pause}, greatest((${expiresAt} - now()) / 2, interval '1 second')) END)`;
  },
};

/** `due_at` and `expires_at` of a delivery that begins, for the first time or once more. */
export function timesOf(messageClass: string, channel: RawBuilder<unknown>) {
  const dueAt = departure.notBefore();
  return { dueAt, expiresAt: sql`${dueAt} + ${lifetime(messageClass, channel)}` };
}
