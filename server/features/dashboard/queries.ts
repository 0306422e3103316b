import { sql } from "kysely";
import { DASHBOARD_DAYS, type DashboardFigures, type MessageCounts } from "#contract/calls/dashboard.ts";
import { type Channel, channels } from "#contract/delivery.ts";
import { livingRoles } from "#contract/homes.ts";
import { zoned } from "#contract/recurrence.ts";
import { type Finding, storedSentences } from "#contract/findings.ts";
import { unreachable } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { livesAt } from "#server/audience/audience.ts";
import { readFirstSteps } from "#server/features/dashboard/first-steps.ts";
import { missedPeople, needsAttention } from "#server/features/notifications/attention.ts";

type When = { zone: string; now: Date };

/** Everything comes from counters and small tables. No deliveries are read. */
export async function readDashboard(db: Db, userId: number, when: When): Promise<DashboardFigures> {
  const [tenants, templates, traffic, opens, firstSteps, failures] = await Promise.all([
    countTenants(db, when),
    countTemplates(db, when),
    readTraffic(db, when),
    readOpens(db, when),
    readFirstSteps(db, userId),
    readFailures(db, when),
  ]);
  return { tenants, templates, ...summarize(traffic, opens, when), firstSteps, failures };
}

/** The start of the period, or of the one before it. */
function startOf({ zone, now }: When, periods: 1 | 2): Date {
  const today = zoned(zone, now);
  return new Date(today.subtract({ days: periods * DASHBOARD_DAYS - 1 }).startOfDay().epochMilliseconds);
}

/** Those who live here, or have no home on file: who gets what is sent to all tenants. */
async function countTenants(db: Db, when: When): Promise<DashboardFigures["tenants"]> {
  const start = startOf(when, 1);
  const active = sql`deleted_at IS NULL AND ${livesAt({})}`;
  const { rows } = await sql<DashboardFigures["tenants"]>`
    SELECT count(*) FILTER (WHERE ${active}) AS now,
      count(*) FILTER (WHERE created_at < ${start} AND (deleted_at IS NULL OR deleted_at >= ${start})
        AND ${livedAnywhere(start)}) AS before,
      count(DISTINCT property) FILTER (WHERE ${active}) AS properties,
      count(*) FILTER (WHERE ${active} AND ${unreachable()}) AS unreachable
    FROM users u WHERE role = 'tenant'`.execute(db);
  return rows[0]!;
}

/** Whether a tenant of `users u` lived in one of their homes then, or has none on file. */
const livedAnywhere = (at: Date) => sql`(u.home_during IS NULL OR u.home_during @> ${at}::timestamptz
  OR EXISTS (SELECT FROM residencies r WHERE r.person_id = u.id AND r.role = ANY(${[...livingRoles]}::text[])
    AND (r.during IS NULL OR r.during @> ${at}::timestamptz)))`;

async function countTemplates(db: Db, when: When): Promise<DashboardFigures["templates"]> {
  const since = startOf(when, 1);
  // Those that come with Porchlight were always here: no one wrote them in these days.
  // The tests of status and coalesce() only repeat the index notifications_template_use, so that it can be used.
  const { rows } = await sql<DashboardFigures["templates"]>`
    SELECT count(*) FILTER (WHERE archived_at IS NULL) AS now,
      count(*) FILTER (WHERE (slug IS NOT NULL OR created_at < ${since}) AND (archived_at IS NULL OR archived_at >= ${since})) AS before,
      count(*) FILTER (WHERE archived_at IS NULL AND EXISTS (SELECT FROM notifications n
        WHERE n.template_id = t.id AND n.status <> 'Draft' AND coalesce(n.sent_time, n.created_at) >= ${since}
          AND n.kind = 'message' AND n.sent_time >= ${since})) AS used
    FROM templates t`.execute(db);
  return rows[0]!;
}

type Traffic = MessageCounts & {
  day: string;
  channel: Channel;
  simulated: number;
  /** Providers accepted these. Some bounced later. */
  accepted: number;
  acceptedSimulated: number;
  /** Those sent or delivered with a notification whose page knows of opens. Of the others, none may be reported. */
  tracked: number;
};

const wasAccepted = sql`c.status IN ('accepted', 'delivered', 'bounced')`;
const isSimulated = sql`c.channel = ANY(r.simulated_channels)`;

async function readTraffic(db: Db, when: When): Promise<Traffic[]> {
  const { rows } = await sql<Traffic>`
    SELECT to_char(r.created_at AT TIME ZONE ${when.zone}, 'YYYY-MM-DD') AS day, c.channel,
      coalesce(sum(c.count) FILTER (WHERE c.status = 'delivered'), 0) AS delivered,
      coalesce(sum(c.count) FILTER (WHERE c.status = 'accepted'), 0) AS sent,
      coalesce(sum(c.count) FILTER (WHERE c.status IN ('failed', 'bounced', 'expired')), 0) AS failed,
      coalesce(sum(c.count) FILTER (WHERE ${wasAccepted}), 0) AS accepted,
      coalesce(sum(c.count) FILTER (WHERE ${isSimulated}), 0) AS simulated,
      coalesce(sum(c.count) FILTER (WHERE ${isSimulated} AND ${wasAccepted}), 0) AS "acceptedSimulated",
      coalesce(sum(c.count) FILTER (WHERE r.opened > 0 AND c.status IN ('delivered', 'accepted')), 0) AS tracked
    FROM runs r JOIN notifications n ON n.id = r.notification_id JOIN run_counts c ON c.run_id = r.id
    WHERE n.kind = 'message' AND r.created_at >= ${startOf(when, 2)}
      AND c.status IN ('delivered', 'accepted', 'failed', 'bounced', 'expired')
    GROUP BY 1, 2`.execute(db);
  return rows;
}

type Period = "now" | "before";

/** Emails opened, by the period in which their run began. */
async function readOpens(db: Db, when: When): Promise<Record<Period, number>> {
  const since = startOf(when, 1);
  const { rows } = await sql<Record<Period, number>>`
    SELECT coalesce(sum(r.opened) FILTER (WHERE r.created_at >= ${since}), 0) AS now,
      coalesce(sum(r.opened) FILTER (WHERE r.created_at < ${since}), 0) AS before
    FROM runs r JOIN notifications n ON n.id = r.notification_id
    WHERE n.kind = 'message' AND r.created_at >= ${startOf(when, 2)}`.execute(db);
  return rows[0]!;
}

/** In percent; null if no opens are reported. */
const rateOf = (opened: number, emails: number) =>
  emails > 0 ? Math.min(100, Math.round((opened / emails) * 100)) : null;

const nothing = (): MessageCounts => ({ delivered: 0, sent: 0, failed: 0 });

function add(to: MessageCounts, { delivered, sent, failed }: MessageCounts): void {
  to.delivered += delivered;
  to.sent += sent;
  to.failed += failed;
}

function summarize(
  traffic: readonly Traffic[],
  opened: Record<Period, number>,
  when: When,
): Pick<DashboardFigures, "sent" | "openRate" | "days" | "channels" | "simulated"> {
  const first = zoned(when.zone, startOf(when, 1)).toPlainDate();
  const days = Array.from({ length: DASHBOARD_DAYS }, (_, n) => ({
    day: first.add({ days: n }).toString(),
    ...nothing(),
  }));
  const byChannel = channels.map((channel) => ({ channel, ...nothing() }));
  const sent = { now: 0, before: 0, simulated: 0 };
  const emails = { now: 0, before: 0 };
  let simulated = 0;
  for (const row of traffic) {
    const day = days.find((one) => one.day === row.day);
    const period: Period = day ? "now" : "before";
    sent[period] += row.accepted;
    if (row.channel === "email") emails[period] += row.tracked;
    if (!day) continue;
    sent.simulated += row.acceptedSimulated;
    simulated += row.simulated;
    add(day, row);
    add(
      byChannel.find(({ channel }) => channel === row.channel)!,
      row,
    );
  }
  const openRate = { now: rateOf(opened.now, emails.now), before: rateOf(opened.before, emails.before) };
  return { sent, openRate, days, channels: byChannel, simulated };
}

/** Enough for an office that hasn't looked for weeks. Those beyond follow once these are dealt with. */
const MOST_FAILURES = 50;

type Failure = DashboardFigures["failures"]["newest"][number] & { findings: Finding[] | null; total: number };

async function readFailures(db: Db, when: When): Promise<DashboardFigures["failures"]> {
  const { rows } = await sql<Failure>`
    SELECT n.id, n.title, n.status, n.status_reason AS reason, n.findings, ${missedPeople} AS missed, n.total FROM (
      SELECT n.id, n.title, n.status, n.status_reason, n.findings, n.updated_at, count(*) OVER () AS total FROM notifications n
      WHERE ${needsAttention} AND n.updated_at >= ${startOf(when, 1)}
      ORDER BY n.updated_at DESC, n.id DESC LIMIT ${MOST_FAILURES}
    ) n ORDER BY n.updated_at DESC, n.id DESC`.execute(db);
  return {
    total: rows[0]?.total ?? 0,
    newest: rows.map(({ id, title, status, reason, findings, missed }) => ({
      id,
      title,
      status,
      reason: storedSentences(findings, reason),
      missed,
    })),
  };
}
