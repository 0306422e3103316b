import type { SkipIf } from "#contract/calls/detail-conditions.ts";
import { randomUUID } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { finding, type Finding, refuse, Refusal } from "#contract/findings.ts";
import { transaction, type Db } from "#server/db/database.ts";
import { PREPARED } from "#server/db/prepared.ts";
import { readDetails } from "#server/audience/details.ts";
import { inAudience, nobodyIn } from "#server/audience/audience.ts";
import { holdGroups } from "#server/audience/recipients.ts";
import { readValueFields, type ValueField } from "#server/audience/values.ts";
import { attachmentsById } from "#server/messages/attachments.ts";
import { answered } from "#server/messages/fields.ts";
import { check, type Context } from "#server/messages/gate.ts";
import { type Message, messageColumns } from "#server/messages/message.ts";
import type { Plan } from "#server/messages/plan.ts";
import { compile, UnfilledFieldsError, type Sender } from "../content/compile.ts";
import { LINK_EXPIRY, neededIn, REASON, type CompiledContent } from "../content/compiled.ts";
import { reasonOf, type MessageKind } from "../content/reason.ts";
import { dayIn } from "#contract/recurrence.ts";
import type { Detail } from "#contract/text/kept-details.ts";
import { writtenDate } from "#contract/text/relative-date.ts";
import { traceparent } from "#server/telemetry/signals.ts";
import { FEW, fanOutSome, type Run } from "./fan-out.ts";
import { finishRuns } from "./finish-runs.ts";
import { hintWork, notifyPages } from "../hints.ts";

/** What the settings say, read when a run starts. */
export type Organization = { sender: Sender; timeZone: string };

export type StartDependencies = { organization(db: Db): Promise<Organization> };

type Stored = Message & {
  id: number;
  kind: MessageKind;
  plannedFor: Date | null;
  answersOptOut: boolean;
  now: Date;
};

/** How a run comes about. */
export type Start = {
  /** The person who does it; null: its schedule, or no one. */
  startedBy?: number | null;
  /** The run's day (yyyy-MM-dd), by default the organization's today. */
  day?: string | undefined;
  /** By default now. */
  plan?: Plan;
  /** What the caller knows beside the message. */
  context?: Partial<Context>;
  /** A notice about an account from which its reader can unsubscribe. */
  mayUnsubscribe?: boolean;
};

/**
 * Freezes the content and starts the notification: from Draft or Scheduled, or from Failed if no run ever began. Call
 * it inside the transaction that decides to send; nothing goes out before that commits. Returns the run's id, and what
 * there is to say about it although it starts. Throws AppError: not-found, conflict (someone else started it), and what
 * was found.
 */
export function startRun(
  db: Db,
  notificationId: number,
  dependencies: StartDependencies,
  start: Start = {},
): Promise<{ runId: number; warnings: Finding[] }> {
  return transaction(db, async (tx) => {
    const { id, audience, among, warnings } = await begin(tx, notificationId, dependencies, start);
    const anyone = await sql`SELECT FROM users u WHERE ${among} LIMIT 1`.execute(tx);
    if (anyone.rows.length === 0)
      throw new Refusal(
        nobodyIn(
          audience,
          audience.some(({ type }) => type === "homes") ? "the chosen homes" : "the chosen groups",
        ),
      );
    await hintWork(tx, "run");
    return { runId: id, warnings };
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
  start: Start & { startedBy: number },
): Promise<{ runId: number; queued: boolean; done: boolean; warnings: Finding[] }> {
  if (!tx.isTransaction) throw new Error("a run is started at once only inside a transaction");
  const { warnings, ...run } = await begin(tx, notificationId, dependencies, start);
  // Never null, because no one else sees the run before the transaction ends.
  const { queued, done } = (await fanOutSome(tx, FEW, { run }))!;
  if (done && !queued) await finishRuns(tx, [run.id]);
  await hintWork(tx, done ? "queue" : "any");
  return { runId: run.id, queued, done, warnings };
}

async function begin(
  tx: Db,
  notificationId: number,
  dependencies: StartDependencies,
  { startedBy = null, day, plan = { kind: "now" }, context, mayUnsubscribe = false }: Start,
): Promise<Run & { among: RawBuilder<boolean>; warnings: Finding[] }> {
  const [stored, { sender, timeZone }] = await Promise.all([
    lockStartable(tx, notificationId, startedBy !== null),
    dependencies.organization(tx),
  ]);
  // Deleting a group looks for runs that still read it.
  await holdGroups(tx, stored.audience);
  const found = await check(tx, stored, plan, {
    zone: timeZone,
    now: stored.now,
    moment: startedBy === null ? "unseen" : "sending",
    kind: stored.kind,
    id: stored.id,
    ...context,
  });
  refuse(found);
  const today = writtenDate(Temporal.PlainDate.from(day ?? dayIn(timeZone, stored.now)));
  const personal = await readValueFields(tx, stored.valuesId);
  const details = await readDetails(tx);
  const skipIf = withLabel(stored.skipIf, details);
  const compiled = compileStored(stored, await attachmentsById(tx, stored.attachmentIds), {
    sender,
    today,
    mayUnsubscribe,
    details,
    values: personal,
  });
  // The site name stands in for a property that is not on file. The day is the run's day, whenever this is read.
  const values = {
    ...answered(stored.fieldValues, new Set(personal.map(({ field }) => field))),
    property_name: sender.siteName,
    today,
    // A worker of the build before finds these nowhere else.
    ...(compiled.email && { [REASON]: reasonOf(stored.kind, sender.siteName) }),
    ...(compiled.passwordLink && { [LINK_EXPIRY]: "24 hours after it was sent" }),
  };
  const parent = traceparent() ?? null;
  const { rows } = await sql<Pick<Run, "id" | "simulatedChannels">>`${PREPARED}
    WITH begun AS (
      UPDATE notifications SET status = 'Sending', status_reason = NULL, findings = NULL, sent_time = now(),
        updated_at = now()
      WHERE id = ${stored.id}
    ), version AS (
      INSERT INTO content_versions (notification_id, title, subject, content, field_values, attachment_ids, compiled)
      VALUES (${stored.id}, ${stored.title}, ${stored.subject}, ${stored.content}, ${JSON.stringify(values)},
        ${stored.attachmentIds}, ${JSON.stringify(compiled)})
      RETURNING id
    )
    INSERT INTO runs (notification_id, content_version_id, class, channels, audience, state, planned_for, started_by,
      simulated_channels, sender, traceparent, answers_opt_out, per_home, skip_if)
    SELECT ${stored.id}, version.id, ${stored.class}, ${stored.channels}, ${JSON.stringify(stored.audience)},
      'fanning-out', ${stored.plannedFor}, ${startedBy},
      -- Decided now, because the reply says it: the Sandbox never gets what is meant to be sent, and a real account
      -- never gets what was meant to be simulated.
      ARRAY(SELECT c.channel FROM unnest(${stored.channels}::text[]) WITH ORDINALITY c (channel, place)
        WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.channel = c.channel AND a.enabled AND NOT a.simulated)
        ORDER BY c.place),
      (SELECT (array_agg(p.sender))[1] FROM accounts p WHERE p.channel = 'email' AND p.enabled AND NOT p.simulated
        HAVING count(DISTINCT p.sender) = 1),
      ${parent}, ${stored.answersOptOut}, ${stored.perHome},
      ${skipIf && JSON.stringify(skipIf)}::jsonb
    FROM version RETURNING id, simulated_channels AS "simulatedChannels"`.execute(tx);
  await notifyPages(tx, { type: "notifications" });
  return {
    ...rows[0]!,
    notificationId: stored.id,
    class: stored.class,
    channels: stored.channels,
    audience: stored.audience,
    cursor: 0,
    people: 0,
    fields: neededIn({ ...compiled, fields: compiled.fields.toSorted() }),
    traceparent: parent,
    passwordLink: compiled.passwordLink !== undefined,
    toConfirm: stored.kind === "confirmation",
    answersOptOut: stored.answersOptOut,
    perHome: stored.perHome,
    skipIf,
    among: await inAudience(tx, stored.audience),
    warnings: found,
  };
}

/** A detail that was deleted since leaves no one out. */
function withLabel(skipIf: Stored["skipIf"], details: readonly Detail[]): SkipIf | null {
  const detail = details.find(({ id }) => id === skipIf?.detail);
  return skipIf && detail ? { ...skipIf, label: detail.label } : null;
}

/** The notification, locked until the transaction ends: of several callers, one starts it. */
async function lockStartable(tx: Db, notificationId: number, byPerson: boolean): Promise<Stored> {
  const { rows } = await sql<Stored & { startable: boolean }>`${PREPARED}
    SELECT n.id, n.kind, ${messageColumns("n")}, n.answers_opt_out AS "answersOptOut", now(),
      n.status IN ('Draft', 'Scheduled')
        OR (n.status = 'Failed' AND NOT EXISTS (SELECT FROM runs r WHERE r.notification_id = n.id)) AS startable,
      CASE WHEN n.status = 'Scheduled' AND (${!byPerson} OR n.scheduled_time <= now())
        THEN n.scheduled_time END AS "plannedFor"
    FROM notifications n WHERE n.id = ${notificationId} FOR NO KEY UPDATE OF n`.execute(tx);
  const [stored] = rows;
  if (!stored) throw refusal("no-such-notification");
  if (!stored.startable) {
    throw refusal("already-on-its-way");
  }
  return stored;
}

type CompileOptions = {
  sender: Sender;
  today: string;
  mayUnsubscribe: boolean;
  details: readonly Detail[];
  values: readonly ValueField[];
};

function compileStored(
  stored: Stored,
  files: ReadonlyMap<number, { name: string; size: number }>,
  { sender, today, mayUnsubscribe, details, values }: CompileOptions,
): CompiledContent {
  const content = {
    ...stored,
    mayUnsubscribe,
    // The settings' subject is for templates, which don't know the notification's title.
    ...(stored.kind === "message" && stored.messageType === "custom" && { subject: stored.title }),
    answers: stored.fieldValues,
    details: details.map(({ id, field, kind }) => ({ id, field, kind })),
    values,
    attachments: stored.attachmentIds.flatMap((id) => files.get(id) ?? []),
  };
  try {
    return compile(content, sender, { key: randomUUID(), secret: randomUUID(), today });
  } catch (error) {
    // The last guard of what no one should ever read.
    if (error instanceof UnfilledFieldsError) {
      throw new Refusal(finding("unfilled", null, { fields: error.fields }));
    }
    throw error;
  }
}
