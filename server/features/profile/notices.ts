import { sql, type RawBuilder } from "kysely";
import type * as z from "zod";
import { type Channel, type DeliveryStatus, channels, writtenAs } from "#contract/delivery.ts";
import { type Reason, reasonSentence } from "#contract/delivery-reasons.ts";
import type { RenderedMessage } from "#contract/calls/deliveries.ts";
import type { notice, profileCalls } from "#contract/calls/profile.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { UnfilledFieldsError } from "#server/delivery/content/compile.ts";
import type {
  CompiledContent,
  FieldValues,
  LinksFor,
  RecipientLinks,
} from "#server/delivery/content/compiled.ts";
import { renderTemplate } from "#server/delivery/content/render.ts";
import { titleFor } from "#server/delivery/content/title.ts";
import { deliveriesOfPerson } from "#server/activity/deliveries.ts";
import { HIDDEN_LINK, renderedMessage } from "#server/activity/rendered.ts";
import { containing } from "#server/db/like.ts";
import { inMonthsOf } from "#server/db/months.ts";
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

const withFiles = channels.filter((channel) => writtenAs(channel) === "email");

type Way = { channel: Channel; status: Shown; reason: Reason | null; simulated: boolean };

type Row = {
  id: number;
  runId: number;
  title: string;
  values: FieldValues;
  at: Date;
  read: boolean;
  ways: Way[];
};
type ListedRow = Row & { compiled: CompiledContent; files: number };

const sentTo = (userId: number) => sql`${deliveriesOfPerson(userId)} JOIN runs r ON r.id = d.run_id
  JOIN content_versions v ON v.id = r.content_version_id
  -- Someone who registered with another person's address must not see here what is known of that address.
  JOIN notifications n ON n.id = r.notification_id AND n.kind <> 'confirmation'`;

/** An email says the most: it has formatting and files. */
const fullest = sql`array_position(${channels.toSorted((a, b) => rank(a) - rank(b))}::text[], d.channel)`;
function rank(channel: Channel): number {
  return { email: 0, push: 1, sms: 2 }[writtenAs(channel)];
}

/** A row a notice: of the messages of one run to this person, the one that says the most, and what came of each. */
function noticesOf(userId: number, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT DISTINCT ON (d.run_id) d.id, d.run_id AS "runId", v.id AS version, v.title,
      v.field_values || d.field_values AS values, d.channel,
      min(coalesce(d.accepted_at, d.updated_at)) OVER (PARTITION BY d.run_id) AS at,
      jsonb_agg(jsonb_build_object('channel', d.channel, 'status', d.status, 'reason', d.reason, 'simulated', d.simulated))
        OVER (PARTITION BY d.run_id) AS ways,
      -- Whoever reads here has signed in, so what a link was for is done.
      n.kind = 'credentials' OR d.run_id <= (SELECT notices_read_through FROM users WHERE id = ${userId})
        OR EXISTS (SELECT FROM notice_reads o WHERE o.user_id = ${userId} AND o.run_id = d.run_id) AS read
    FROM ${sentTo(userId)} WHERE ${shown} AND ${which}
    ORDER BY d.run_id DESC, ${fullest}) m`;
}

type NoticesQuestion = {
  q?: string | undefined;
  read?: "yes" | "no" | undefined;
  page: number;
  pageSize: number;
};

/** One page of a person's notices, unread before read and newest first; `q` is part of a title. */
export async function listNotices(
  db: Db,
  userId: number,
  { q = "", read, page, pageSize }: NoticesQuestion,
  linksFor: LinksFor,
): Promise<Page<z.output<(typeof profileCalls.notices)["reply"]>[number]>> {
  const notices = noticesOf(userId, sql`fold(v.title) LIKE ${containing(q)}`);
  const which = read === undefined ? sql`true` : sql`m.read = ${read === "yes"}`;
  const [rows, count] = await Promise.all([
    sql<ListedRow>`
      SELECT m.id, m."runId", m.title, m.values, m.at, m.ways, m.read, v.compiled,
        CASE WHEN m.channel = ANY(${withFiles}::text[]) THEN cardinality(v.attachment_ids) ELSE 0 END AS files
      FROM ${notices} JOIN content_versions v ON v.id = m.version
      WHERE ${which} ORDER BY m.read, m."runId" DESC
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${notices} WHERE ${which}`.execute(db),
  ]);
  return {
    rows: rows.rows.map((row) => ({
      ...present(row),
      files: row.files,
      begins: beginningOf(row, linksFor("")),
    })),
    total: count.rows[0]?.total ?? 0,
  };
}

function present({ id, title, values, at, read, ways }: Row): Notice {
  return {
    id,
    title: titleFor(title, values),
    at: at.toISOString(),
    read,
    ways: ways
      .toSorted((a, b) => channels.indexOf(a.channel) - channels.indexOf(b.channel))
      .map((way) => ({ channel: way.channel, sentence: sentenceOf(way) })),
  };
}

function sentenceOf({ channel, status, reason, simulated }: Way): string {
  const failed = status === "bounced" || status === "failed";
  // Without the detail, which may contain the provider's words or someone else's name.
  const why = failed && reason !== null ? ` ${reasonSentence(reason, channel)}` : "";
  return `${sentences[status]}${why}${simulated ? " (simulated)" : ""}`;
}

const MOST_LETTERS = 200;

/** The first paragraph on one line, without a greeting, which says nothing about it. */
function beginningOf({ compiled, values }: ListedRow, links: RecipientLinks): string {
  const text = compiled.push?.body ?? compiled.email?.text ?? compiled.sms?.text ?? [];
  const written = textOf(text, values, { ...links, password: HIDDEN_LINK });
  const [message = ""] = written.replace(/^[^\n]{0,80}[,،:]\s*\n/u, "").split(/\n\s*\n/);
  const line = message.replaceAll(/\s+/g, " ").trim();
  const letters = Array.from(line);
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS).join("").trimEnd()}…` : line;
}

/** What failed because a value was missing has no text. */
function textOf(...written: Parameters<typeof renderTemplate>): string {
  try {
    return renderTemplate(...written);
  } catch (error) {
    if (error instanceof UnfilledFieldsError) return "";
    throw error;
  }
}

/** The notice that this message belongs to. Throws not-found, also for a message to someone else. */
async function noticeWith(db: Db, userId: number, deliveryId: number): Promise<Row> {
  const found = await sql<Row>`SELECT m.* FROM ${noticesOf(
    userId,
    sql`d.run_id = (SELECT o.run_id FROM deliveries o
      WHERE ${inMonthsOf(sql`o.run_id`, [deliveryId])} AND o.id = ${deliveryId} AND o.user_id = ${userId})`,
  )}`.execute(db);
  const [row] = found.rows;
  if (!row) throw refusal("no-such-notice");
  return row;
}

/** One notice as its recipient got it. Throws not-found. */
export async function readNotice(
  db: Db,
  userId: number,
  id: number,
  linksFor: LinksFor,
): Promise<RenderedMessage & Notice> {
  const row = await noticeWith(db, userId, id);
  const message = await renderedMessage(db, row.id, linksFor);
  if (!message) throw refusal("no-such-notice");
  return { ...message, ...present(row) };
}

/** Marks a notice as read. Throws not-found. */
export async function openNotice(db: Db, userId: number, id: number): Promise<{ id: number }> {
  const { runId } = await noticeWith(db, userId, id);
  await sql`INSERT INTO notice_reads (user_id, run_id) VALUES (${userId}, ${runId}) ON CONFLICT DO NOTHING`.execute(
    db,
  );
  return { id };
}

/** Refuses a file that was not attached to any message to this person. Throws not-found. */
export async function refuseOthersFile(db: Db, userId: number, attachmentId: number): Promise<void> {
  const found = await sql`
    SELECT FROM ${sentTo(userId)}
    WHERE ${shown} AND d.channel = ANY(${withFiles}::text[]) AND ${attachmentId} = ANY(v.attachment_ids)
    LIMIT 1`.execute(db);
  if (found.rows.length === 0) throw refusal("no-such-file");
}
