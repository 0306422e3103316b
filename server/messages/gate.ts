import type { Selectable } from "kysely";
import type { Finding } from "#contract/findings.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import type { Channel } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import type { Schema } from "#server/db/schema.ts";
import type { Clock } from "./clock.ts";
import type { Message } from "./message.ts";
import type { Plan } from "./plan.ts";
import { rules } from "./rules.ts";
import type { Source } from "./source.ts";

/** What a rule knows beside the message and its plan. */
export type Context = Clock & {
  /**
   * Who asks. `writing`: a person who is choosing all of it. `sending`: a person who sends what was written earlier.
   * `unseen`: no one is there, as it starts by itself, or is looked at ahead of time.
   */
  moment: "writing" | "sending" | "unseen";
  /** By default `message`, which people write; the others are our own. */
  kind?: Selectable<Schema["notifications"]>["kind"] | undefined;
  /** Where its text comes from. */
  source?: Source | undefined;
  /** What is being changed, or planned again. */
  stored?: Message | undefined;
  /** The notification that it is, once it is stored. */
  id?: number | undefined;
  /** Who chooses its file with values. */
  chooser?: number | undefined;
  /** The same message may have gone out with the same values. */
  again?: boolean | undefined;
  /** The fields in which a person chose its texts, by the names of the call. */
  places?: Partial<Places> | undefined;
  /** The fields whose value is a date relative to the run. */
  relativeDates?: readonly string[] | undefined;
  /** Recipients that no longer exist, which it goes out without; if left out, each has to exist. */
  gone?: readonly AudienceMember[] | undefined;
  /** The channels that had an account when a person last looked at the plan. */
  connected?: readonly Channel[] | undefined;
};

export type Places = Record<"title" | "subject" | "content", string>;

export type Asked = Context & { db: Db; message: Message; plan: Plan };

/** Asked about every message that goes out, or is saved or planned to. */
export type Rule = (asked: Asked) => readonly Finding[] | Promise<readonly Finding[]>;

/**
 * What is to be said about this message, as it would go out by this plan, in the order of the rules. Whatever sends,
 * saves or plans a message asks this.
 */
export async function check(db: Db, message: Message, plan: Plan, context: Context): Promise<Finding[]> {
  const asked = { ...context, db, message, plan };
  return (await Promise.all(rules.map(async (rule) => rule(asked)))).flat();
}
