import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { IDS_PER_MONTH, inMonthsOf } from "#server/db/months.ts";
import type { FieldValues, Template } from "../content/compiled.ts";
import { linkAt, type Tracked } from "../content/tracked-html.ts";
import { placeOf, type Receipt } from "../transports/webhook.ts";
import type { TrackedMail } from "./tracking-address.ts";

/** Stores that an email was opened; workers apply it like a provider's receipt. Only the first open counts. */
export async function recordOpen(db: Db, mail: TrackedMail): Promise<void> {
  await store(db, mail, [{ what: "opened" }]);
}

/**
 * The target of this email's nth link. Null if the message isn't on record or has no such link, so a redirect only ever
 * goes to an address that is in the email itself.
 */
export async function trackedLink(
  db: Db,
  { deliveryId }: TrackedMail,
  n: number,
): Promise<{ address: string; track: Tracked } | null> {
  const { rows } = await sql<{ html: Template | null; track: Tracked | null; values: FieldValues }>`
    SELECT v.compiled #> '{email,html}' AS html, v.compiled #> '{email,track}' AS track,
      v.field_values || d.field_values AS values
    FROM deliveries d JOIN runs r ON r.id = d.run_id JOIN content_versions v ON v.id = r.content_version_id
    WHERE ${inMonthsOf(sql`d.run_id`, [deliveryId])} AND d.id = ${deliveryId}`.execute(db);
  const [mail] = rows;
  if (!mail?.html || !mail.track) return null;
  const address = linkAt(mail.html, n, mail.values);
  return address === null ? null : { address, track: mail.track };
}

/** Whether this email is from an archived month: then its links' targets are in files. Counts the click. */
export async function isArchivedMail(db: Db, { deliveryId }: TrackedMail): Promise<boolean> {
  const { rows } = await sql`UPDATE archived_months SET late_receipts = late_receipts + 1
    WHERE month = ${Math.floor(deliveryId / IDS_PER_MONTH)} AND restored_at IS NULL RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** Stores a click, and with it an open: the email was opened even if its images are blocked. */
export async function recordClick(
  db: Db,
  mail: TrackedMail,
  { address, track }: { address: string; track: Tracked },
): Promise<void> {
  await store(db, mail, [
    ...(track.opens ? [{ what: "opened" as const }] : []),
    { what: "clicked" as const, detail: address },
  ]);
}

async function store(db: Db, mail: TrackedMail, events: Pick<Receipt, "what" | "detail">[]): Promise<void> {
  const place = placeOf(mail);
  const at = new Date();
  const rows = events.map((event) => ({ ...event, eventId: `${event.what}-${place}`, at }));
  await sql`
    INSERT INTO receipts (account_id, event_id, event)
    SELECT d.account_id, t.event ->> 'eventId',
      t.event || jsonb_build_object('reference', concat(v.compiled ->> 'key', '-', ${place}::text))
    FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) t (event),
      deliveries d JOIN runs r ON r.id = d.run_id JOIN content_versions v ON v.id = r.content_version_id
    WHERE ${inMonthsOf(sql`d.run_id`, [mail.deliveryId])} AND d.id = ${mail.deliveryId} AND d.account_id IS NOT NULL
      AND CASE t.event ->> 'what' WHEN 'opened' THEN d.opened_at ELSE d.clicked_at END IS NULL
    ON CONFLICT (account_id, event_id) DO NOTHING`.execute(db);
}
