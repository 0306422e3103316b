import { sql } from "kysely";
import { type Finding, storedSentences } from "#contract/findings.ts";
import type { ScheduleAttention } from "#contract/calls/schedule-replies.ts";
import type { Db } from "#server/db/database.ts";
import { nextRunAt, scheduleSource } from "#server/delivery/schedules/schedule.ts";
import { latestRuns, type Listing, needsDecision } from "#server/features/schedules/runs.ts";
import type { Page } from "#server/http/route.ts";

type Row = Pick<ScheduleAttention, "scheduleId" | "name" | "active" | "problem" | "waitingRuns"> & {
  nextRunAt: Date | null;
  since: Date;
  findings: Finding[] | null;
};

/** One page of the schedules that cannot run as they are or have runs waiting for someone, latest first. */
export async function listAttention(
  db: Db,
  zone: string,
  { page, pageSize }: Listing,
): Promise<Page<ScheduleAttention>> {
  const listed = sql`(
    SELECT s.id AS "scheduleId", coalesce(s.name, n.title) AS name, s.active, s.problem, s.findings,
      ${nextRunAt} AS "nextRunAt", coalesce(waiting.runs, 0) AS "waitingRuns",
      greatest(s.problem_at, waiting.since) AS since
    FROM ${scheduleSource} LEFT JOIN (
      SELECT o.schedule_id, count(*) AS runs, max(o.at) AS since
      FROM schedule_occurrences o JOIN schedules s ON s.id = o.schedule_id
      WHERE ${needsDecision} GROUP BY o.schedule_id
    ) waiting ON waiting.schedule_id = s.id
    WHERE s.deleted_at IS NULL AND (s.problem IS NOT NULL OR waiting.runs > 0)
  ) listed`;
  const [{ rows }, count] = await Promise.all([
    sql<Row>`SELECT * FROM ${listed} ORDER BY since DESC, "scheduleId" DESC
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${listed}`.execute(db),
  ]);
  const ids = rows.map(({ scheduleId }) => scheduleId);
  const runs = await latestRuns(db, ids, zone);
  return {
    rows: rows.map(({ findings, ...row }) => ({
      ...row,
      problem: storedSentences(findings, row.problem),
      nextRunAt: row.nextRunAt?.toISOString() ?? null,
      since: row.since.toISOString(),
      newest: runs.get(row.scheduleId)?.missed[0] ?? null,
    })),
    total: count.rows[0]?.total ?? 0,
  };
}
