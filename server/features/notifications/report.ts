import { Readable } from "node:stream";
import { sql } from "kysely";
import Papa from "papaparse";
import {
  type Channel,
  type DeliveryStatus,
  deliveryStatusMeaning,
  type Reason,
  reasonSentence,
} from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";

type Row = {
  id: number;
  name: string;
  unit: string | null;
  channel: Channel;
  address: string | null;
  status: DeliveryStatus;
  reason: Reason | null;
  detail: string | null;
  acceptedAt: Date | null;
  deliveredAt: Date | null;
  simulated: boolean;
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

// Read in pages by id, so that a report on 100,000 people takes no more memory than one on 1,000.
const PAGE = 1000;

/** The report as a stream of CSV lines; times are UTC, formulas are defused for spreadsheets. */
export function reportCsv(db: Db, notificationId: number): Readable {
  return Readable.from(lines(db, notificationId));
}

async function* lines(db: Db, notificationId: number): AsyncGenerator<string> {
  yield `\uFEFF${toLine(header)}`;
  let after = 0;
  for (;;) {
    const rows = await page(db, notificationId, after);
    for (const row of rows) yield toLine(cells(row));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
  }
}

const toLine = (values: string[]) => `${Papa.unparse([values], { escapeFormulae: true })}\r\n`;

async function page(db: Db, notificationId: number, after: number): Promise<Row[]> {
  const found = await sql<Row>`
    SELECT d.id, d.person_name AS name, d.person_unit AS unit, d.channel, d.address, d.status, d.reason, d.detail,
      d.accepted_at AS "acceptedAt", d.delivered_at AS "deliveredAt", coalesce(p.kind = 'sandbox', false) AS simulated,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('n', a.n, 'at', a.started_at, 'outcome', a.outcome,
          'code', a.code, 'detail', a.detail) ORDER BY a.n), '[]')
        FROM attempts a WHERE a.delivery_id = d.id) AS attempts
    FROM deliveries d LEFT JOIN providers p ON p.id = d.provider_id
    WHERE d.run_id IN (SELECT id FROM runs WHERE notification_id = ${notificationId}) AND d.id > ${after}
    ORDER BY d.id LIMIT ${PAGE}`.execute(db);
  return found.rows;
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
    row.reason ? reasonSentence(row.reason, row.detail) : "",
    row.acceptedAt?.toISOString() ?? "",
    row.deliveredAt?.toISOString() ?? "",
    String(row.attempts.length),
    attempts.join(" | "),
    row.simulated ? "yes" : "no",
  ];
}
