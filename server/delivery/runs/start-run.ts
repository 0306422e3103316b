import { randomUUID } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import { AppError, fieldError } from "#contract/errors.ts";
import type { Channel } from "#contract/delivery.ts";
import { transaction, type Db } from "#server/db/database.ts";
import { PIPELINED } from "#server/db/pipelined.ts";
import { PREPARED } from "#server/db/prepared.ts";
import { inAudience, nobodyIn, type Audience } from "#server/audience/audience.ts";
import { compile, UnfilledFieldsError, type Sender } from "../content/compile.ts";
import type { CompiledContent } from "../content/compiled.ts";
import { answered, unfilled } from "#server/messages/fields.ts";
import { TemplateError } from "#contract/text/message-fields.ts";
import { dayIn } from "#contract/recurrence.ts";
import { writtenDate } from "#contract/text/relative-date.ts";
import { traceparent } from "#server/telemetry/signals.ts";
import { FEW, fanOutSome, type Run } from "./fan-out.ts";
import { finishRuns } from "./finish-runs.ts";
import { hintWork, notifyPages } from "../hints.ts";

/** What the settings say, read when a run starts. */
export type Organization = { sender: Sender; timeZone: string };

export type StartDependencies = { organization(db: Db): Promise<Organization> };

type Stored = {
  id: number;
  kind: "message" | "credentials" | "test" | "notice" | "confirmation";
  formatted: boolean;
  title: string;
  subject: string;
  content: string;
  fieldValues: Record<string, string>;
  channels: Channel[];
  audience: Audience;
  class: string;
  plannedFor: Date | null;
  attachmentIds: number[];
  answersOptOut: boolean;
  now: Date;
};

/**
 * Freezes the content and starts the notification: from Draft or Scheduled, or from Failed if no run ever began. Call
 * it inside the transaction that decides to send; nothing goes out before that commits. `startedBy` is the person who
 * does it; null: its schedule. `day` (yyyy-MM-dd) is the run's day, by default the organization's today. Returns the run's
 * id. Throws AppError: not-found; conflict (someone else started it); empty-audience; missing-field-values and
 * invalid-input (the text).
 */
export function startRun(
  db: Db,
  notificationId: number,
  dependencies: StartDependencies,
  startedBy: number | null = null,
  day?: string,
): Promise<number> {
  return transaction(db, async (tx) => {
    const { id, audience, among } = await begin(tx, notificationId, dependencies, startedBy, day);
    const anyone = await sql`SELECT FROM users u WHERE ${among} LIMIT 1`.execute(tx);
    if (anyone.rows.length === 0) {
      throw new AppError("empty-audience", nobodyIn(audience, "the chosen groups"));
    }
    await hintWork(tx, "run");
    return id;
  });
}

/**
 * As `startRun`, for what someone is waiting for: the first people are written in the same transaction, so their
 * messages leave as soon as it commits. Says whether there is something to send among them (`queued`), and whether they
 * are everyone (`done`). An empty audience is left to the caller.
 */
export async function startRunAtOnce(
  tx: Db,
  notificationId: number,
  dependencies: StartDependencies,
  startedBy: number,
  day?: string,
): Promise<{ runId: number; queued: boolean; done: boolean }> {
  if (!tx.isTransaction) throw new Error("a run is started at once only inside a transaction");
  const run = await begin(tx, notificationId, dependencies, startedBy, day);
  // Never null, because no one else sees the run before the transaction ends.
  const { queued, done } = (await fanOutSome(tx, FEW, { run }))!;
  if (done && !queued) await finishRuns(tx, [run.id]);
  await hintWork(tx, done ? "queue" : "any");
  return { runId: run.id, queued, done };
}

async function begin(
  tx: Db,
  notificationId: number,
  dependencies: StartDependencies,
  startedBy: number | null,
  day: string | undefined,
): Promise<Run & { among: RawBuilder<boolean> }> {
  const [stored, { sender, timeZone }] = await Promise.all([
    claim(tx, notificationId, startedBy !== null),
    dependencies.organization(tx),
  ]);
  await holdGroups(tx, stored.audience);
  const today = writtenDate(Temporal.PlainDate.from(day ?? dayIn(timeZone, stored.now)));
  const compiled = compileStored(stored, await attachmentsOf(tx, stored.attachmentIds), sender, today);
  // The site name stands in for a property that is not on file. The day is the run's day, whenever this is read.
  const values = { ...answered(stored.fieldValues), property_name: sender.siteName, today };
  const parent = traceparent() ?? null;
  const { rows } = await sql<Pick<Run, "id" | "simulatedChannels">>`${PREPARED}
    WITH version AS (
      INSERT INTO content_versions (notification_id, title, subject, content, field_values, attachment_ids, compiled)
      VALUES (${stored.id}, ${stored.title}, ${stored.subject}, ${stored.content}, ${JSON.stringify(values)},
        ${stored.attachmentIds}, ${JSON.stringify(compiled)})
      RETURNING id
    )
    INSERT INTO runs (notification_id, content_version_id, class, channels, audience, state, planned_for, started_by,
      simulated_channels, sender, traceparent, answers_opt_out)
    SELECT ${stored.id}, version.id, ${stored.class}, ${stored.channels}, ${JSON.stringify(stored.audience)},
      'fanning-out', ${stored.plannedFor}, ${startedBy},
      -- Decided now, because the reply says it: the Sandbox never gets what is meant to be sent, and a real account
      -- never gets what was meant to be simulated.
      ARRAY(SELECT c.channel FROM unnest(${stored.channels}::text[]) WITH ORDINALITY c (channel, place)
        WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.channel = c.channel AND a.enabled AND NOT a.simulated)
        ORDER BY c.place),
      (SELECT (array_agg(p.sender))[1] FROM accounts p WHERE p.channel = 'email' AND p.enabled AND NOT p.simulated
        HAVING count(DISTINCT p.sender) = 1),
      ${parent}, ${stored.answersOptOut}
    FROM version RETURNING id, simulated_channels AS "simulatedChannels"`.execute(tx);
  await notifyPages(tx, { type: "notifications" });
  return {
    ...rows[0]!,
    class: stored.class,
    channels: stored.channels,
    audience: stored.audience,
    cursor: 0,
    people: 0,
    fields: compiled.fields.toSorted(),
    traceparent: parent,
    passwordLink: compiled.passwordLink !== undefined,
    toConfirm: stored.kind === "confirmation",
    answersOptOut: stored.answersOptOut,
    among: await inAudience(tx, stored.audience),
  };
}

/** The guarded step to Sending. Only the caller that makes it starts the run. */
async function claim(tx: Db, notificationId: number, byPerson: boolean): Promise<Stored> {
  const { rows } = await sql<Stored>`${PREPARED}
    WITH before AS (
      SELECT id, status, scheduled_time FROM notifications WHERE id = ${notificationId} FOR NO KEY UPDATE
    )
    UPDATE notifications n
    SET status = 'Sending', status_reason = NULL, sent_time = now(), updated_at = now()
    FROM before b
    WHERE n.id = b.id AND (b.status IN ('Draft', 'Scheduled')
      OR (b.status = 'Failed' AND NOT EXISTS (SELECT FROM runs r WHERE r.notification_id = b.id)))
    RETURNING n.id, n.kind, n.formatted, n.title, n.subject, n.content, n.field_values AS "fieldValues", n.channels, n.audience, n.class,
      n.attachment_ids AS "attachmentIds", n.answers_opt_out AS "answersOptOut", now(),
      CASE WHEN b.status = 'Scheduled' AND (${!byPerson} OR b.scheduled_time <= now())
        THEN b.scheduled_time END AS "plannedFor"`.execute(tx);
  if (rows[0]) return rows[0];
  const found = await sql`SELECT FROM notifications WHERE id = ${notificationId}`.execute(tx);
  if (found.rows.length === 0) throw new AppError("not-found", "Notification not found");
  throw new AppError("conflict", "It is already on its way, or can no longer be sent.");
}

/** Keeps the groups from being deleted until the run exists: deleting one looks for runs that still read it. */
async function holdGroups(tx: Db, audience: Audience): Promise<void> {
  const groupIds = audience.filter(({ type }) => type === "group").map(({ id }) => id);
  await sql`${PIPELINED}SELECT FROM user_groups WHERE id = ANY(${groupIds}::bigint[]) ORDER BY id FOR KEY SHARE`.execute(
    tx,
  );
}

async function attachmentsOf(tx: Db, ids: readonly number[]): Promise<{ name: string; size: number }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ name: string; size: number }>`
    SELECT a.name, a.size FROM unnest(${ids}::bigint[]) WITH ORDINALITY wanted (id, place)
    JOIN attachments a ON a.id = wanted.id ORDER BY wanted.place`.execute(tx);
  if (rows.length < ids.length) {
    const sentence = "An attached file no longer exists. Remove it and attach it again.";
    throw fieldError("invalid-input", "attachments", sentence);
  }
  return rows;
}

function compileStored(
  stored: Stored,
  attachments: { name: string; size: number }[],
  sender: Sender,
  today: string,
): CompiledContent {
  const content = {
    ...stored,
    answers: stored.fieldValues,
    attachments,
    oneTimeLink: stored.kind === "credentials" || stored.kind === "confirmation",
    trackable: stored.kind === "message",
  };
  try {
    return compile(content, sender, { key: randomUUID(), secret: randomUUID(), today });
  } catch (error) {
    if (error instanceof UnfilledFieldsError) throw unfilled(error.fields);
    if (error instanceof TemplateError) throw fieldError("invalid-input", "content", error.message);
    throw error;
  }
}
