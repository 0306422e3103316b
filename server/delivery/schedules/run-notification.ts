import { isolated } from "#contract/text/isolate.ts";
import { sql } from "kysely";
import { type Channel, channelMeaning, type MessageClass } from "#contract/delivery.ts";
import { reasonSentence } from "#contract/delivery-reasons.ts";
import { AppError } from "#contract/errors.ts";
import { type AudienceMember, audienceText } from "#contract/calls/notifications.ts";
import { valuesForRun } from "#contract/text/relative-date.ts";
import { channelsTurnedOff } from "#server/audience/person.ts";
import { namesOf } from "#server/audience/recipients.ts";
import type { Db } from "#server/db/database.ts";
import { simulatedChannels } from "../accounts/accounts.ts";
import type { StoredSchedule } from "./schedule.ts";

type Message = {
  title: string;
  messageType: "template" | "custom";
  templateId: number | null;
  subject: string;
  content: string;
  formatted: boolean;
  class: MessageClass;
  fieldValues: Record<string, string>;
  attachmentIds: number[];
};

type RunNotification = {
  id: number;
  /** What is wrong with the schedule although this run starts, as text; null: nothing. */
  problem: string | null;
};

/**
 * Creates the notification of one run: message, recipients and values as they are now, frozen from here on. `date` is
 * the run's day, which its relative dates count from. `plannedFor` null: someone runs it now. Throws AppError if
 * something the schedule needs is gone.
 */
export async function insertRunNotification(
  tx: Db,
  schedule: StoredSchedule,
  { date, plannedFor }: { date: string; plannedFor: Date | null },
): Promise<RunNotification> {
  const message = await messageOf(tx, schedule);
  const { audience, gone } = await audienceOf(tx, schedule);
  const connected = await refuseLostChannel(tx, schedule);
  await sql`UPDATE schedules SET connected_channels = ${connected} WHERE id = ${schedule.id}`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    INSERT INTO notifications (title, message_type, template_id, subject, content, formatted, field_values,
      channels, audience, audience_text, class, status, scheduled_time, attachment_ids, created_by, created_by_name)
    VALUES (${message.title}, ${message.messageType}, ${message.templateId}, ${message.subject}, ${message.content},
      ${message.formatted},
      ${JSON.stringify({ ...message.fieldValues, ...valuesForRun(schedule.fieldValues, date) })},
      ${schedule.channels}, ${JSON.stringify(audience)}, ${audienceText(audience)},
      ${schedule.class ?? message.class}, ${plannedFor ? "Scheduled" : "Draft"}, ${plannedFor}, ${message.attachmentIds},
      ${schedule.createdBy}, ${schedule.createdByName})
    RETURNING id`.execute(tx);
  return {
    id: rows[0]!.id,
    problem: await shortfallOf(tx, schedule, gone),
  };
}

/**
 * The problem of a schedule that goes on without some of its recipients, or without a channel that the settings have
 * turned off; null when nothing is missing.
 */
export async function shortfallOf(
  tx: Db,
  { channels }: Pick<StoredSchedule, "channels">,
  gone: readonly AudienceMember[],
): Promise<string | null> {
  const sentences = (await channelsTurnedOff(tx))
    .filter((channel) => channels.includes(channel))
    .map((channel) => `${reasonSentence("channel-off", channel)} Runs send nothing on it.`);
  if (gone.length > 0) {
    sentences.push(`${namesOf(gone)} Runs go to the other recipients. Check them and save the schedule.`);
  }
  return sentences.length > 0 ? sentences.join(" ") : null;
}

/** What it says now. Throws not-found where its template is gone. */
export async function messageOf(
  tx: Db,
  { name, templateId, notificationId }: StoredSchedule,
): Promise<Message> {
  const { rows } = await (
    templateId === null
      ? sql<Message & { archived: string | null }>`
        SELECT title, message_type AS "messageType", template_id AS "templateId", subject, content, formatted, class,
          field_values AS "fieldValues", attachment_ids AS "attachmentIds", NULL AS archived
        FROM notifications WHERE id = ${notificationId}`
      : sql<Message & { archived: string | null }>`
        SELECT ${name} AS title, 'template' AS "messageType", id AS "templateId", subject, content,
          type = 'Email' AS formatted, class, '{}'::jsonb AS "fieldValues", '{}'::bigint[] AS "attachmentIds",
          CASE WHEN archived_at IS NOT NULL THEN name END AS archived
        FROM templates WHERE id = ${templateId}`
  ).execute(tx);
  const [found] = rows;
  if (!found) throw new AppError("not-found", "Its template no longer exists. Choose another message.");
  const { archived, ...message } = found;
  if (archived !== null) {
    const sentence = `The template “${isolated(archived)}” is archived. Restore it, or choose another message.`;
    throw new AppError("not-found", sentence);
  }
  return message;
}

/** The chosen groups and people that still exist, and those that don't. Throws empty-audience if none exist. */
export async function audienceOf(
  tx: Db,
  { audience: chosen, goneRecipients }: Pick<StoredSchedule, "audience" | "goneRecipients">,
): Promise<{ audience: AudienceMember[]; gone: AudienceMember[] }> {
  const { rows } = await sql<Pick<AudienceMember, "type" | "id">>`
    SELECT 'group' AS type, id FROM user_groups WHERE id = ANY(${idsOf("group", chosen)}::bigint[])
    UNION ALL
    SELECT 'user', id FROM users
    WHERE id = ANY(${idsOf("user", chosen)}::bigint[]) AND deleted_at IS NULL`.execute(tx);
  const isThere = (one: AudienceMember) => rows.some(({ type, id }) => type === one.type && id === one.id);
  const audience = chosen.filter(isThere);
  const gone = [...goneRecipients, ...chosen.filter((one) => !isThere(one))];
  if (audience.length === 0) {
    throw new AppError("empty-audience", `${namesOf(gone)} Choose recipients.`.trim());
  }
  return { audience, gone };
}

const idsOf = (wanted: AudienceMember["type"], audience: readonly AudienceMember[]) =>
  audience.filter(({ type }) => type === wanted).map(({ id }) => id);

/** The channels that currently deliver for real. */
export async function connectedAmong(tx: Db, channels: readonly Channel[]): Promise<Channel[]> {
  const simulated = await simulatedChannels(tx);
  return channels.filter((channel) => !simulated.has(channel));
}

/**
 * A channel that lost its account would only be simulated, without anyone noticing.
 * @returns those of its channels that deliver for real
 */
export async function refuseLostChannel(
  tx: Db,
  { channels, connectedChannels }: StoredSchedule,
): Promise<Channel[]> {
  const connected = await connectedAmong(tx, channels);
  const lost = channels.find(
    (channel) => connectedChannels.includes(channel) && !connected.includes(channel),
  );
  if (lost === undefined) return connected;
  const { label, many } = channelMeaning[lost];
  throw new AppError(
    "unavailable",
    `${label} no longer has an account, so ${many} would only be simulated. Connect one, or save the schedule again to run it in the Sandbox.`,
  );
}
