import { Readable } from "node:stream";
import { sql } from "kysely";
import Papa from "papaparse";
import { guardFormula } from "#contract/text/csv-cells.ts";
import { type Channel, type DeliveryStatus, deliveryStatusMeaning } from "#contract/delivery.ts";
import { type Reason, reasonSentence } from "#contract/delivery-reasons.ts";
import { readArchive } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { archiveSentence } from "#server/features/reports/archived.ts";
import { type OwnColumns, readOwnColumns } from "#server/features/reports/own-columns.ts";
import { effectiveStatus, sharedText } from "#server/activity/shared-address.ts";

type Row = {
  userId: number;
  name: string;
  unit: string | null;
  channel: Channel;
  address: string | null;
  status: DeliveryStatus;
  reason: Reason | null;
  detail: string | null;
  effectiveStatus: DeliveryStatus;
  acceptedAt: Date | null;
  deliveredAt: Date | null;
  simulated: boolean;
  /** What the file with the values has for them. */
  own: string[] | null;
  attempts: { n: number; at: string; outcome: string | null; code: string | null; detail: string | null }[];
};

const header = [
  "Person",
  "Property/Unit",
  "Channel",
  "Address",
  "Outcome",
  "Reason",
  "Sent",
  "Delivered",
  "Attempts",
  "Every attempt",
  "Simulated",
];

// Read in pages, so that a report on 100,000 people takes no more memory than one on 1,000.
const PAGE = 1000;

/** The report as a stream of CSV lines. Times are UTC; formulas are defused for spreadsheets. */
export function reportCsv(db: Db, notificationId: number): Readable {
  return Readable.from(lines(db, notificationId));
}

async function* lines(db: Db, notificationId: number): AsyncGenerator<string> {
  const own = await readOwnColumns(db, notificationId);
  const names = [...own.headers, ...header];
  yield `\uFEFF${toLine(names)}`;
  const run = await db
    .selectFrom("runs")
    .select("id")
    .where("notification_id", "=", notificationId)
    .executeTakeFirst();
  if (!run) return;
  const archive = await readArchive(db, run.id);
  if (archive) {
    // In the first column, where no one overlooks it.
    yield toLine([archiveSentence(archive, (at) => at.toISOString()), ...names.slice(1).map(() => "")]);
    return;
  }
  const next = (last?: Row) => page(db, { runId: run.id, own }, last);
  for (let rows = await next(); rows.length > 0; rows = await next(rows.at(-1))) {
    for (const row of rows)
      yield toLine([...own.headers.map((_, place) => row.own?.[place] ?? ""), ...cells(row)]);
    if (rows.length < PAGE) break;
  }
}

const toLine = (values: string[]) => `${Papa.unparse([values.map(guardFormula)])}\r\n`;

/** The rows that follow `last`, in the order of a unique index, so that a page costs no more than its rows. */
async function page(db: Db, { runId, own }: { runId: number; own: OwnColumns }, last?: Row): Promise<Row[]> {
  const found = await sql<Row>`
    SELECT d.user_id AS "userId", d.person_name AS name, d.person_unit AS unit, d.channel, d.address, d.status, d.reason, d.detail,
      ${effectiveStatus([runId])} AS "effectiveStatus", d.accepted_at AS "acceptedAt", d.delivered_at AS "deliveredAt", d.simulated AND d.status <> 'skipped' AS simulated,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('n', a.n, 'at', a.started_at, 'outcome', a.outcome,
          'code', a.code, 'detail', a.detail) ORDER BY a.n), '[]')
        FROM attempts a WHERE ${inMonthsOf(sql`a.delivery_id`, [runId])} AND a.delivery_id = d.id) AS attempts,
      ${own.cells} AS own
    FROM deliveries d
    WHERE d.run_id = ${runId} AND (d.user_id, d.channel) > (${last?.userId ?? 0}, ${last?.channel ?? ""})
    ORDER BY d.user_id, d.channel LIMIT ${PAGE}`.execute(db);
  return found.rows;
}

function reasonOf({ reason, channel, detail, effectiveStatus: status }: Row): string {
  if (!reason) return "";
  return sharedText({ reason, channel, detail, status })?.sentence ?? reasonSentence(reason, channel, detail);
}

function cells(row: Row): string[] {
  const attempts = row.attempts.map((a) =>
    [`${a.n}.`, new Date(a.at).toISOString(), a.outcome ?? "no answer", a.code, a.detail]
      .filter(Boolean)
      .join(" "),
  );
  return [
    row.name,
    row.unit ?? "",
    row.channel,
    row.address ?? "",
    deliveryStatusMeaning[row.status].label,
    reasonOf(row),
    row.acceptedAt?.toISOString() ?? "",
    row.deliveredAt?.toISOString() ?? "",
    String(row.attempts.length),
    attempts.join(" | "),
    row.simulated ? "yes" : "no",
  ];
}
