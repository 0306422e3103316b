import { sql } from "kysely";
import type { Channel, DeliveryStatus, Reason } from "#contract/delivery.ts";
import { channelMeaning, reasonMeaning, reasonSentence } from "#contract/delivery.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import type { Db } from "#server/db/database.ts";
import { outcomesOf } from "./person-outcomes.ts";
import { servingAccounts, slowedWords } from "#server/delivery/accounts.ts";
import type { Account } from "#server/delivery/accounts.ts";
import { countsOf } from "#server/delivery/run-counts.ts";
import { noCounts, outstanding } from "#server/delivery/run-outcome.ts";

type Counted = { channel: Channel; status: DeliveryStatus; reason: string; count: number };
type RunRow = {
  runId: number;
  notificationId: number;
  state: RunProgress["state"];
  channels: number;
  resends: number;
  people: number;
  simulated: boolean;
  opened: number;
  clicked: number;
  startedAt: Date;
  finishedAt: Date | null;
  lateSeconds: number;
  elapsedSeconds: number;
  counts: Counted[];
};

/** The newest run of each of these notifications, by notification id. Costs a few small rows a run. */
export async function progressOf(
  db: Db,
  notificationIds: readonly number[],
): Promise<Map<number, RunProgress>> {
  if (notificationIds.length === 0) return new Map();
  const { rows } = await sql<RunRow>`
    SELECT DISTINCT ON (r.notification_id)
      r.id AS "runId", r.notification_id AS "notificationId", r.state, r.people, r.simulated,
      cardinality(r.channels) AS channels,
      (SELECT count(*)::int FROM resends s WHERE s.run_id = r.id AND s.finished_at IS NOT NULL) AS resends, r.opened, r.clicked,
      r.created_at AS "startedAt", r.finished_at AS "finishedAt",
      coalesce(greatest(0, floor(extract(epoch FROM r.created_at - r.planned_for))), 0)::int AS "lateSeconds",
      extract(epoch FROM coalesce(r.finished_at, now()) - r.created_at)::float8 AS "elapsedSeconds",
      (SELECT coalesce(jsonb_agg(to_jsonb(c) ORDER BY c.count DESC, c.channel, c.status, c.reason), '[]')
        FROM (${countsOf(sql`r.id`)}) c) AS counts
    FROM runs r WHERE r.notification_id = ANY(${notificationIds}::bigint[])
    ORDER BY r.notification_id, r.id DESC`.execute(db);
  const accounts = rows.some((row) => row.finishedAt === null) ? await servingAccounts(db) : [];
  const persons = await outcomesOf(db, rows);
  return new Map(
    rows.map((row) => [row.notificationId, { ...present(row, accounts), ...persons.get(row.runId)! }]),
  );
}

function present(
  row: RunRow,
  accounts: readonly Account[],
): Omit<RunProgress, "outcomes" | "peopleWaiting" | "simulatedChannels"> {
  const counts = noCounts();
  const byChannel: RunProgress["byChannel"] = {};
  for (const { channel, status, count } of row.counts) {
    counts[status] += count;
    (byChannel[channel] ??= noCounts())[status] += count;
  }
  const total = row.counts.reduce((sum, { count }) => sum + count, 0);
  const left = outstanding(counts);
  const done = total - left - counts.skipped - counts.cancelled;
  const perSecond = done > 0 && row.elapsedSeconds > 0 ? done / row.elapsedSeconds : null;
  return {
    runId: row.runId,
    notificationId: row.notificationId,
    state: row.state,
    people: row.people,
    total,
    counts,
    byChannel,
    reasons: row.counts.flatMap(({ channel, status, reason, count }) =>
      isReason(reason) ? [{ channel, status, reason, count, sentence: reasonSentence(reason) }] : [],
    ),
    simulated: row.simulated,
    opened: row.opened,
    clicked: row.clicked,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    lateSeconds: row.lateSeconds,
    perSecond,
    secondsLeft: left > 0 && perSecond !== null ? Math.ceil(left / perSecond) : null,
    notes: [...waitingNotes(byChannel, accounts), ...refusalNotes(byChannel, row.counts)],
  };
}

function waitingNotes(byChannel: RunProgress["byChannel"], accounts: readonly Account[]): string[] {
  return [...Map.groupBy(accounts, ({ channel }) => channel)].flatMap(([channel, own]) => {
    const queued = byChannel[channel]?.queued ?? 0;
    // As long as one account takes messages, nothing waits for another.
    if (queued === 0 || own.some((account) => account.state === "ok" && slowedWords(account) === null))
      return [];
    const wait = `${channelMeaning[channel].label} of this run: ${queued} wait, because`;
    return own.map((account) => {
      const slowed = account.state === "ok" ? slowedWords(account) : null;
      const said = account.stateReason ? ` (“${account.stateReason}”)` : "";
      return slowed === null
        ? `${wait} ${account.name} takes nothing at the moment${said}. They go out once it does.`
        : `${wait} ${slowed}`;
    });
  });
}

/** The same refusal for everyone is about the message, not about the people. */
function refusalNotes(byChannel: RunProgress["byChannel"], counts: readonly Counted[]): string[] {
  return counts
    .filter(({ reason, count }) => reason === "content-refused" && count > 1)
    .filter(({ channel }) => byChannel[channel]!.accepted + byChannel[channel]!.delivered === 0)
    .map(
      ({ channel, count }) =>
        `The provider refused this message for all ${count} people it was offered for (${channelMeaning[channel].label}). ` +
        reasonMeaning["content-refused"].next,
    );
}

function isReason(reason: string): reason is Reason {
  return Object.hasOwn(reasonMeaning, reason);
}
