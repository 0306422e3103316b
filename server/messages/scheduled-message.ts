import type { AudienceMember } from "#contract/calls/notifications.ts";
import { type ScheduleValue, valuesForRun } from "#contract/text/relative-date.ts";
import { existing } from "#server/audience/recipients.ts";
import type { Db } from "#server/db/database.ts";
import type { Context } from "./gate.ts";
import type { Message } from "./message.ts";
import { readSource } from "./source.ts";

/** What a schedule says about its runs. Everything else is as its template or notification has it. */
export type Scheduled = Pick<Message, "channels" | "audience"> & {
  name: string;
  templateId: number | null;
  notificationId: number | null;
  /** Null: as the message. */
  class: Message["class"] | null;
  /** Null: as the message. */
  perHome: boolean | null;
  /** Whom its runs leave out. */
  skipIf: Message["skipIf"];
  fieldValues: Record<string, ScheduleValue>;
  /** Deleted while it named them beside others, since someone last saved it. */
  goneRecipients?: readonly AudienceMember[];
};

/**
 * What a schedule's run on `day` (yyyy-MM-dd) sends, as its template or notification is now, to those of its recipients
 * who still exist; and what the gate has to know about it.
 */
export async function scheduledMessage(
  db: Db,
  schedule: Scheduled,
  day: string,
): Promise<{ message: Message } & Required<Pick<Context, "source" | "places" | "gone">>> {
  const { message, source } = await readSource(db, schedule);
  const there = await existing(db, schedule.audience);
  const at = schedule.templateId === null ? "notificationId" : "templateId";
  return {
    message: {
      ...message,
      title: source.kind === "notification" ? message.title : schedule.name,
      channels: schedule.channels,
      audience: schedule.audience.filter(there),
      class: schedule.class ?? message.class,
      perHome: schedule.perHome ?? message.perHome,
      skipIf: schedule.skipIf ?? message.skipIf,
      fieldValues: { ...message.fieldValues, ...valuesForRun(schedule.fieldValues, day) },
    },
    source,
    places: { title: source.kind === "notification" ? at : "name", subject: at, content: at },
    gone: [...(schedule.goneRecipients ?? []), ...schedule.audience.filter((one) => !there(one))],
  };
}
