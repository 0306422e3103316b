import { sql, type RawBuilder } from "kysely";
import { personOutcomes, type DeliveryStatus, type PersonOutcome } from "#contract/delivery.ts";
import { type Reason, sharesMessage } from "#contract/delivery-reasons.ts";
import type { Db } from "#server/db/database.ts";
import { monthOfId } from "#server/db/months.ts";
import { updateTotals } from "../runs/run-totals.ts";

/** The totals of an archived month stay, without the deliveries that they count. */
const inDatabase = (runId: RawBuilder<unknown>) => sql`NOT EXISTS (
  SELECT FROM archived_months a WHERE a.month = ${monthOfId(runId)} AND a.restored_at IS NULL)`;

/** Where the totals and a recount of the deliveries differ. Empty: they agree. */
export async function imbalance(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    WITH kept AS (
      SELECT run_id, channel, status, reason, sum(count)::int AS count FROM run_counts
      WHERE ${inDatabase(sql`run_id`)} GROUP BY run_id, channel, status, reason
    ), recount AS (
      SELECT run_id, channel, status, coalesce(reason, '') AS reason, count(*)::int AS count
      FROM deliveries GROUP BY run_id, channel, status, coalesce(reason, '')
    )
    SELECT run_id, channel, status, reason, k.count AS kept, r.count AS counted
    FROM kept k FULL JOIN recount r USING (run_id, channel, status, reason)
    WHERE coalesce(k.count, 0) <> coalesce(r.count, 0)`.execute(db);
  return [...rows, ...(await wrongPeople(db)), ...(await wrongFigures(db))];
}

/** Opens and clicks of runs, each delivery's first, beside a recount. */
async function wrongFigures(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    SELECT r.id, r.opened, r.clicked, count(d.opened_at)::int AS "openedCounted", count(d.clicked_at)::int AS "clickedCounted"
    FROM runs r LEFT JOIN deliveries d ON d.run_id = r.id WHERE ${inDatabase(sql`r.id`)} GROUP BY r.id
    HAVING r.opened <> count(d.opened_at) OR r.clicked <> count(d.clicked_at)`.execute(db);
  return rows;
}

type Row = {
  id: number;
  runId: number;
  userId: number;
  channel: string;
  address: string | null;
  status: DeliveryStatus;
  reason: string | null;
  counted: boolean;
  sharedWith: number | null;
  sharers: number[] | null;
};

const ownOutcome: Record<DeliveryStatus, PersonOutcome> = {
  queued: "waiting",
  sending: "waiting",
  uncertain: "unconfirmed",
  accepted: "sent",
  delivered: "delivered",
  failed: "failed",
  bounced: "failed",
  expired: "failed",
  cancelled: "cancelled",
  skipped: "skipped",
};

function outcomeOf(row: Row, holder: Row | undefined): PersonOutcome {
  if (sharesMessage(row.reason as Reason | null)) {
    const outcome = holder ? ownOutcome[holder.status] : "skipped";
    return outcome === "sent" || outcome === "delivered" ? "shared" : outcome;
  }
  if (row.status === "skipped" && row.reason === "opted-out") return "opted-out";
  if (row.status === "skipped" && ["person-removed", "settled"].includes(row.reason ?? ""))
    return "cancelled";
  return ownOutcome[row.status];
}

/** What became of each person, counted again from their deliveries, beside what is stored. */
async function wrongPeople(db: Db): Promise<unknown[]> {
  const { rows } = await sql<Row>`
    SELECT id, run_id AS "runId", user_id AS "userId", channel, address, status, reason, counted,
      shared_with AS "sharedWith", sharers FROM deliveries`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const sharing = Map.groupBy(rows, ({ sharedWith }) => sharedWith);
  const wrong: unknown[] = [];
  for (const row of rows) {
    const holder = row.sharedWith === null ? undefined : byId.get(row.sharedWith);
    const shares = row.status === "skipped" && sharesMessage(row.reason as Reason | null);
    const fits =
      holder?.channel === row.channel && (row.reason === "same-home" || holder.address === row.address);
    if (row.sharedWith !== null && !(shares && fits)) wrong.push({ sharing: row, holder });
    const found = (sharing.get(row.id) ?? []).map(({ userId }) => userId);
    const kept = new Set(row.sharers);
    if (found.length !== kept.size || !found.every((userId) => kept.has(userId))) {
      wrong.push({ sharers: row, found });
    }
  }
  const people = Map.groupBy(rows, ({ runId, userId }) => `${runId} ${userId}`);
  const counted = new Map<string, number>();
  const tallies = new Map<string, string>();
  for (const [person, own] of people) {
    const outcomes = own
      .filter((row) => row.counted)
      .map((row) => outcomeOf(row, byId.get(row.sharedWith ?? 0)));
    const digits = personOutcomes.map((one) =>
      outcomes.filter((outcome) => outcome === one).length.toString(16),
    );
    tallies.set(person, digits.join("").replace(/^0+/, ""));
    const best = personOutcomes.find((outcome) => outcomes.includes(outcome));
    const waiting = outcomes.some((outcome) => outcome === "waiting" || outcome === "unconfirmed");
    const key = `${own[0]!.runId} ${best} ${waiting}`;
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const stored = await sql<{ key: string; tally: string }>`
    SELECT run_id || ' ' || user_id AS key, to_hex(tally) AS tally FROM run_people`.execute(db);
  const counters = await sql<{ key: string; count: number }>`
    SELECT run_id || ' ' || outcome || ' ' || waiting AS key, sum(count)::int AS count FROM run_outcomes
    WHERE ${inDatabase(sql`run_id`)} GROUP BY 1 HAVING sum(count) <> 0`.execute(db);
  wrong.push(...differences(tallies, new Map(stored.rows.map(({ key, tally }) => [key, tally]))));
  wrong.push(...differences(counted, new Map(counters.rows.map(({ key, count }) => [key, count]))));
  return wrong;
}

function differences<T>(counted: ReadonlyMap<string, T>, kept: ReadonlyMap<string, T>): unknown[] {
  const keys = new Set([...counted.keys(), ...kept.keys()]);
  return [...keys]
    .filter((key) => counted.get(key) !== kept.get(key))
    .map((key) => ({ key, counted: counted.get(key), kept: kept.get(key) }));
}

/** Counts the totals anew, where a test has changed deliveries on the quiet. */
export async function recount(db: Db): Promise<void> {
  await sql`DELETE FROM run_counts`.execute(db);
  await sql`DELETE FROM run_outcomes`.execute(db);
  await sql`DELETE FROM run_people`.execute(db);
  await sql`
    WITH moves AS (
      SELECT run_id, user_id, channel, NULL::text AS was_status, NULL::text AS was_reason, status, reason,
        counted AND shared_with IS NULL AS counted, sharers FROM deliveries
    ), ${updateTotals({ moves: "moves" })} SELECT`.execute(db);
}

/** How many deliveries of the run stand where; states without any are absent. */
export async function statuses(db: Db, runId: number): Promise<Partial<Record<DeliveryStatus, number>>> {
  const { rows } = await sql<{ status: DeliveryStatus; count: number }>`
    SELECT status, count(*)::int AS count FROM deliveries WHERE run_id = ${runId} GROUP BY status`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
