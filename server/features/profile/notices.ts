import { sql } from "kysely";
import type * as z from "zod";
import { type Channel, type DeliveryStatus, channels, writtenAs } from "#contract/delivery.ts";
import { type Reason, reasonSentence } from "#contract/delivery-reasons.ts";
import type { RenderedMessage } from "#contract/calls/deliveries.ts";
import type { notice } from "#contract/calls/profile.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import type { FieldValues, LinksFor } from "#server/delivery/content/compiled.ts";
import { titleFor } from "#server/delivery/content/title.ts";
import { deliveriesOfPerson } from "#server/activity/deliveries.ts";
import { renderedMessage } from "#server/activity/rendered.ts";
import { containing } from "#server/db/like.ts";
import type { Page } from "#server/http/route.ts";

type Notice = z.output<typeof notice>;

type Shown = Extract<DeliveryStatus, "accepted" | "delivered" | "uncertain" | "bounced" | "failed">;

/**
 * What a person sees of the messages to them: everything that was sent or tried. What was cancelled, left out or still
 * waits is not shown.
 */
const sentences: Record<Shown, string> = {
  accepted: "Sent",
  delivered: "Delivered",
  uncertain: "Sent. We don't know whether it arrived",
  bounced: "It bounced.",
  failed: "It wasn't delivered.",
};
const shown = sql`d.status = ANY(${Object.keys(sentences)}::text[])`;

type Row = {
  id: number;
  channel: Channel;
  status: Shown;
  reason: Reason | null;
  simulated: boolean;
  title: string;
  values: FieldValues;
  at: Date;
};

const columns = sql`d.id, d.channel, d.status, d.reason, d.simulated, v.title, v.field_values || d.field_values AS values,
  coalesce(d.accepted_at, d.updated_at) AS at`;
const sentTo = (userId: number) => sql`${deliveriesOfPerson(userId)} JOIN runs r ON r.id = d.run_id
  JOIN content_versions v ON v.id = r.content_version_id
  -- Someone who registered with another person's address must not see here what is known of that address.
  JOIN notifications n ON n.id = r.notification_id AND n.kind <> 'confirmation'`;

type NoticesQuestion = { q?: string | undefined; page: number; pageSize: number };

/** One page of what was sent to a person, newest first; `q` is part of a title. */
export async function listNotices(
  db: Db,
  userId: number,
  { q = "", page, pageSize }: NoticesQuestion,
): Promise<Page<Notice>> {
  const who = sql`${shown} AND fold(v.title) LIKE ${containing(q)}`;
  const [rows, count] = await Promise.all([
    sql<Row>`
      SELECT ${columns} FROM ${sentTo(userId)} WHERE ${who} ORDER BY d.id DESC
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${sentTo(userId)} WHERE ${who}`.execute(db),
  ]);
  return { rows: rows.rows.map(present), total: count.rows[0]?.total ?? 0 };
}

function present({ status, reason, simulated, values, title, at, ...row }: Row): Notice {
  const failed = status === "bounced" || status === "failed";
  // Without the detail, which may contain the provider's words or someone else's name.
  const why = failed && reason !== null ? ` ${reasonSentence(reason, row.channel)}` : "";
  return {
    ...row,
    title: titleFor(title, values),
    at: at.toISOString(),
    sentence: `${sentences[status]}${why}${simulated ? " (simulated)" : ""}`,
  };
}

/** One message as its recipient got it. Throws not-found, also for a message to someone else. */
export async function readNotice(
  db: Db,
  userId: number,
  id: number,
  linksFor: LinksFor,
): Promise<RenderedMessage & Pick<Notice, "title" | "at">> {
  const found = await sql<Row>`
    SELECT ${columns} FROM ${sentTo(userId)} WHERE d.id = ${id} AND ${shown}`.execute(db);
  const [row] = found.rows;
  const message = row && (await renderedMessage(db, id, linksFor));
  if (!message) throw refusal("no-such-notice");
  const { title, at } = present(row);
  return { ...message, title, at };
}

const withFiles = channels.filter((channel) => writtenAs(channel) === "email");

/** Refuses a file that was not attached to any message to this person. Throws not-found. */
export async function refuseOthersFile(db: Db, userId: number, attachmentId: number): Promise<void> {
  const found = await sql`
    SELECT FROM ${sentTo(userId)}
    WHERE ${shown} AND d.channel = ANY(${withFiles}::text[]) AND ${attachmentId} = ANY(v.attachment_ids)
    LIMIT 1`.execute(db);
  if (found.rows.length === 0) throw refusal("no-such-file");
}
