import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { Account } from "../accounts/accounts.ts";
import { notifyPages } from "../hints.ts";
import type { Transports } from "../accounts/open-transports.ts";
import type { BounceMail, BounceMailbox, MailboxPosition } from "../transports/bounce-mailbox.ts";
import { markOf } from "../transports/email/message-headers.ts";
import { sameSignature } from "../transports/same-signature.ts";
import { storeEvents } from "./store-events.ts";

const INTERVAL = sql`interval '1 minute'`;
/** Longer than a read takes. */
const LEASE = sql`interval '5 minutes'`;

/**
 * Reads the bounce mailboxes that are due, each over one connection at a time across all processes, and stores the
 * bounces; `processReceipts` applies them. `signal` aborts a read.
 */
export async function readBounceMailboxes(
  db: Db,
  accounts: Iterable<Account>,
  transports: Transports,
  signal: AbortSignal,
): Promise<void> {
  const known = [...accounts].flatMap((account) => {
    const transport = transports.of(account);
    return transport ? [{ id: account.id, mailbox: transport.bounceMailbox }] : [];
  });
  const without = known.filter(({ mailbox }) => !mailbox).map(({ id }) => id);
  await sql`DELETE FROM bounce_mailboxes WHERE account_id = ANY(${without}::bigint[])`.execute(db);
  const mailboxes = new Map(known.flatMap(({ id, mailbox }) => (mailbox ? [[id, mailbox] as const] : [])));
  if (mailboxes.size === 0) return;
  const due = await claim(db, mailboxes);
  await Promise.all(due.map(({ id, position }) => readOne(db, id, mailboxes.get(id)!, { position, signal })));
}

type Due = { id: number; position: MailboxPosition | null };

/** Claims the mailboxes that are due. A different mailbox than before is due immediately and is read from the start. */
async function claim(db: Db, mailboxes: ReadonlyMap<number, BounceMailbox>): Promise<Due[]> {
  const named = [...mailboxes].map(([id, { name }]) => ({ id, name }));
  const { rows } = await sql<{ id: number; uidValidity: string | null; lastUid: number | null }>`
    INSERT INTO bounce_mailboxes AS b (account_id, name, next_read_at)
    SELECT id, name, now() + ${LEASE} FROM jsonb_to_recordset(${JSON.stringify(named)}::jsonb) AS t (id bigint, name text)
    ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, next_read_at = excluded.next_read_at,
      uid_validity = CASE WHEN b.name = excluded.name THEN b.uid_validity END,
      last_uid = CASE WHEN b.name = excluded.name THEN b.last_uid END,
      read_at = CASE WHEN b.name = excluded.name THEN b.read_at END,
      problem = CASE WHEN b.name = excluded.name THEN b.problem END
    WHERE b.next_read_at <= now() OR b.name <> excluded.name
    RETURNING account_id AS id, uid_validity AS "uidValidity", last_uid AS "lastUid"`.execute(db);
  return rows.map(({ id, uidValidity, lastUid }) => ({
    id,
    position: uidValidity !== null && lastUid !== null ? { uidValidity, lastUid } : null,
  }));
}

async function readOne(
  db: Db,
  id: number,
  mailbox: BounceMailbox,
  { position, signal }: Pick<Due, "position"> & { signal: AbortSignal },
): Promise<void> {
  const read = await mailbox.read(position, (mail) => take(db, mail), signal);
  if (signal.aborted) {
    await sql`UPDATE bounce_mailboxes SET next_read_at = now() WHERE account_id = ${id}`.execute(db);
    return;
  }
  const problem = read.ok ? null : read.detail;
  const { uidValidity, lastUid } = read.position ?? position ?? {};
  const again = read.ok && read.more ? sql`now()` : sql`now() + ${INTERVAL}`;
  const { rows } = await sql<{ changed: boolean }>`
    UPDATE bounce_mailboxes b SET uid_validity = ${uidValidity ?? null}, last_uid = ${lastUid ?? null}, problem = ${problem},
      read_at = CASE WHEN ${read.ok} THEN now() ELSE b.read_at END, next_read_at = ${again}
    FROM bounce_mailboxes before WHERE b.account_id = ${id} AND b.name = ${mailbox.name} AND before.account_id = b.account_id
    RETURNING before.problem IS DISTINCT FROM b.problem OR before.read_at IS NULL AS changed`.execute(db);
  if (rows[0]?.changed) await notifyPages(db, { type: "providers" });
}

/** Stores a bounce for the account that sent the message. False: it isn't about a message of ours, or was forged. */
async function take(db: Db, { marks, receipt, report }: BounceMail): Promise<boolean> {
  const found = await genuine(db, marks);
  if (!found) return false;
  await storeEvents(db, found.accountId, [{ ...receipt, reference: found.reference }], report);
  return true;
}

async function genuine(
  db: Db,
  marks: readonly string[],
): Promise<{ accountId: number; reference: string } | undefined> {
  const named = marks.flatMap((mark) => {
    const [, place, id] = /^d((\d{1,15})(?:r\d{1,4})?)\./.exec(mark) ?? [];
    return place === undefined ? [] : [{ mark, place, id: Number(id) }];
  });
  if (named.length === 0) return undefined;
  const ids = named.map(({ id }) => id);
  const { rows } = await sql<{ id: number; accountId: number; key: string; secret: string }>`
    SELECT d.id, d.account_id AS "accountId", v.compiled ->> 'key' AS key, v.compiled ->> 'secret' AS secret
    FROM deliveries d JOIN runs r ON r.id = d.run_id JOIN content_versions v ON v.id = r.content_version_id
    WHERE ${inMonthsOf(sql`d.run_id`, ids)} AND d.id = ANY(${ids}::bigint[]) AND d.channel = 'email' AND d.account_id IS NOT NULL`.execute(
    db,
  );
  for (const { mark, place, id } of named) {
    const delivery = rows.find((row) => row.id === id);
    if (!delivery || !sameSignature(mark, markOf(delivery.secret, place))) continue;
    return { accountId: delivery.accountId, reference: `${delivery.key}-${place}` };
  }
  return undefined;
}
