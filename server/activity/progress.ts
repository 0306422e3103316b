import { sql } from "kysely";
import { channelMeaning, type Channel, type DeliveryStatus, type PersonOutcome } from "#contract/delivery.ts";
import { reasonMeaning, reasonSentence, type Reason } from "#contract/delivery-reasons.ts";
import { noCounts, noOutcomes, outstanding, type RunProgress } from "#contract/run-progress.ts";
import { type ArchiveRow, archiveOf, presentArchive } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { PREPARED } from "#server/db/prepared.ts";
import { countsOf, outcomesOf } from "#server/delivery/runs/run-totals.ts";
import { settlingRate } from "./settling-rate.ts";
import { readSenders, stalledBy, waitingNotes, type Senders } from "./stalled.ts";

type Counted = { channel: Channel; status: DeliveryStatus; reason: string; count: number };
type RunRow = {
  runId: number;
  notificationId: number;
  state: RunProgress["state"];
  channels: Channel[];
  simulatedChannels: Channel[];
  people: number;
  opened: number;
  clicked: number;
  archived: ArchiveRow | null;
  startedAt: Date;
  finishedAt: Date | null;
  lateSeconds: number;
  elapsedSeconds: number;
  counts: Counted[];
  outcomes: { outcome: PersonOutcome; waiting: boolean; count: number }[];
};

/** The run of each of these notifications that has begun, by notification id. Costs a few small rows a run. */
export async function progressOf(
  db: Db,
  notificationIds: readonly number[],
): Promise<Map<number, RunProgress>> {
  if (notificationIds.length === 0) return new Map();
  const { rows } = await sql<RunRow>`${PREPARED}
    SELECT r.id AS "runId", r.notification_id AS "notificationId", r.state, r.people, r.channels,
      r.simulated_channels AS "simulatedChannels", r.opened, r.clicked, ${archiveOf(sql`r.id`)} AS archived,
      r.created_at AS "startedAt", r.finished_at AS "finishedAt",
      coalesce(greatest(0, floor(extract(epoch FROM r.created_at - r.planned_for))), 0)::int AS "lateSeconds",
      extract(epoch FROM coalesce(r.finished_at, now()) - r.created_at)::float8 AS "elapsedSeconds",
      (SELECT coalesce(jsonb_agg(to_jsonb(c) ORDER BY c.count DESC, c.channel, c.status, c.reason), '[]')
        FROM (${countsOf(sql`r.id`)}) c) AS counts,
      (SELECT coalesce(jsonb_agg(to_jsonb(o)), '[]') FROM (${outcomesOf(sql`r.id`)}) o) AS outcomes
    FROM runs r WHERE r.notification_id = ANY(${notificationIds}::bigint[])`.execute(db);
  const senders = rows.some((row) => row.finishedAt === null) ? await readSenders(db) : null;
  return new Map(rows.map((row) => [row.notificationId, present(db, row, senders)]));
}

function present(db: Db, row: RunRow, senders: Senders | null): RunProgress {
  const counts = noCounts();
  const byChannel: RunProgress["byChannel"] = {};
  for (const { channel, status, count } of row.counts) {
    counts[status] += count;
    (byChannel[channel] ??= noCounts())[status] += count;
  }
  const outcomes = noOutcomes();
  for (const { outcome, count } of row.outcomes) outcomes[outcome] += count;
  const total = row.counts.reduce((sum, { count }) => sum + count, 0);
  const left = outstanding(counts);
  const done = total - left - counts.skipped - counts.cancelled;
  const rate = rateOf(db, row, done);
  const stalled = senders && left > 0 ? stalledBy(row, senders, rate) : null;
  const allSimulated = row.simulatedChannels.length === row.channels.length;
  // Where there was nothing to send, nothing is simulated.
  const simulated = row.simulatedChannels.filter((channel) =>
    row.counts.some((one) => one.channel === channel && one.status !== "skipped"),
  );
  return {
    runId: row.runId,
    notificationId: row.notificationId,
    state: row.state,
    people: row.people,
    outcomes,
    peopleWaiting: row.outcomes.reduce((sum, { waiting, count }) => (waiting ? sum + count : sum), 0),
    total,
    counts,
    byChannel,
    reasons: row.counts.flatMap(({ channel, status, reason, count }) =>
      isReason(reason) ? [{ channel, status, reason, count, sentence: reasonSentence(reason, channel) }] : [],
    ),
    simulated: simulated.length > 0,
    simulatedChannels: allSimulated ? [] : simulated,
    opened: row.opened,
    clicked: row.clicked,
    archived: row.archived && presentArchive(row.archived),
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    lateSeconds: row.lateSeconds,
    perSecond: rate,
    secondsLeft: left > 0 && rate !== null && rate > 0 && stalled === null ? Math.ceil(left / rate) : null,
    stalled,
    notes: [...(senders ? waitingNotes(row, senders) : []), ...refusalNotes(byChannel, row.counts)],
  };
}

function rateOf(db: Db, { runId, finishedAt, elapsedSeconds }: RunRow, done: number): number | null {
  if (finishedAt === null) return settlingRate(db, { runId, done, elapsedSeconds });
  return done > 0 && elapsedSeconds > 0 ? done / elapsedSeconds : null;
}

/** If everyone's message is refused for the same reason, the message is at fault and not the people. */
function refusalNotes(byChannel: RunProgress["byChannel"], counts: readonly Counted[]): string[] {
  return counts
    .filter(({ reason, count }) => reason === "content-refused" && count > 1)
    .filter(({ channel }) => byChannel[channel]!.accepted + byChannel[channel]!.delivered === 0)
    .map(
      ({ channel, count }) =>
        `The provider refused this message for all ${count} people (${channelMeaning[channel].label}). ` +
        reasonMeaning["content-refused"].next,
    );
}

function isReason(reason: string): reason is Reason {
  return Object.hasOwn(reasonMeaning, reason);
}
