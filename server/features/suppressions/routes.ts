import { type RawBuilder, sql } from "kysely";
import { type Channel, addressKind } from "#contract/delivery.ts";
import type { BodyOf, QueryOf } from "#contract/endpoint.ts";
import { type Suppression, suppressions } from "#contract/calls/suppressions.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { holds, isOptOut, nameOf } from "#server/audience/person.ts";
import { identity, matching } from "#server/audience/person-search.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { readHomeCountry } from "#server/features/people/home-country.ts";
import { readPhone } from "#server/features/people/phone.ts";
import { confirmOptOut, liftSuppression, onlyHolder } from "#server/features/suppressions/lift.ts";
import { type By, on, type Page, type Route } from "#server/http/route.ts";

export function suppressionsRoutes({ db }: { db: Db }): Route[] {
  return [
    on(suppressions.list, async ({ query }) => listSuppressions(db, query)),
    on(suppressions.block, async ({ body, by }) => ({
      address: await blockAddress(db, body, by),
    })),
    on(suppressions.lift, async ({ body: { channel, address: typed, request }, by }) => {
      const address = await storedAddress(db, channel, typed);
      await liftSuppression(db, { channel, address, request }, by);
      return { message: `We'll use ${address} again.` };
    }),
    on(suppressions.confirmOptOut, async ({ body: { channel, address: typed }, by }) => {
      const address = await storedAddress(db, channel, typed);
      await confirmOptOut(db, { channel, address }, by);
      return { message: `We won't use ${address} again.` };
    }),
  ];
}

/** A text may have come from a sender without a phone number, such as a short code. */
async function storedAddress(db: Db, channel: Channel, typed: string): Promise<string> {
  const read = await readAddress(db, channel, typed);
  return "address" in read ? read.address : typed;
}

/** People named beside an address that several share. */
const NAMED = 3;

async function listSuppressions(
  db: Db,
  { q, channel, kind, unconfirmed, page, pageSize }: QueryOf<typeof suppressions.list>,
): Promise<Page<Suppression>> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (channel) conditions.push(sql`s.channel = ${channel}`);
  if (kind) conditions.push(kind === "unsubscribe" ? isOptOut("s") : sql`s.kind = ${kind}`);
  if (unconfirmed) conditions.push(sql`s.words IS NOT NULL`);
  if (q)
    conditions.push(sql`(${matching(q, sql`fold(s.address)`)} OR EXISTS (
    SELECT FROM users h WHERE ${holds} AND h.deleted_at IS NULL AND ${matching(q, identity("h"))}))`);
  const where = sql.join(conditions, sql` AND `);
  type Row = Omit<Suppression, "at" | "notification" | "account"> & { at: Date; deliveryId: number | null };
  const [found, total] = await Promise.all([
    sql<Row>`
      SELECT s.channel, s.address, s.kind, s.reason, ${isOptOut("s")} AS "optedOut", s.words, s.created_at AS at, s.delivery_id AS "deliveryId",
        ${nameOf("b")} AS by, p.people,
        p.total AS "peopleTotal"
      FROM (
        SELECT * FROM suppressions s WHERE ${where}
        ORDER BY s.created_at DESC, s.channel, s.address LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) s
      LEFT JOIN users b ON b.id = s.actor_id
      CROSS JOIN LATERAL (
        SELECT count(*) AS total, coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name) ORDER BY h.place)
          FILTER (WHERE h.place <= ${NAMED}), '[]') AS people
        FROM (
          SELECT h.id, ${nameOf("h")} AS name,
            row_number() OVER (ORDER BY h.name_key, h.id) AS place
          FROM users h WHERE ${holds} AND h.deleted_at IS NULL) h) p
      ORDER BY s.created_at DESC, s.channel, s.address`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM suppressions s WHERE ${where}`.execute(db),
  ]);
  const causes = await causesOf(
    db,
    found.rows.flatMap(({ deliveryId }) => deliveryId ?? []),
  );
  return {
    rows: found.rows.map(({ at, deliveryId, ...row }) => ({
      ...row,
      at: at.toISOString(),
      ...(causes.get(deliveryId ?? 0) ?? { account: null, notification: null }),
    })),
    total: total.rows[0]?.total ?? 0,
  };
}

type Cause = Pick<Suppression, "account" | "notification">;

/** What was sent where, by delivery. Apart from the list, so that only their months are planned for. */
async function causesOf(db: Db, ids: readonly number[]): Promise<Map<number, Cause>> {
  const { rows } = await sql<Cause & { id: number }>`
    SELECT d.id, a.name AS account, jsonb_build_object('id', n.id, 'title', n.title) AS notification
    FROM deliveries d JOIN runs r ON r.id = d.run_id JOIN notifications n ON n.id = r.notification_id
      LEFT JOIN accounts a ON a.id = d.account_id
    WHERE ${inMonthsOf(sql`d.run_id`, ids)} AND d.id = ANY(${ids}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, ...cause }) => [id, cause]));
}

/**
 * Stops messages to an address. It need not belong to anyone. Returns it as it is stored. Throws invalid-input and
 * conflict.
 */
async function blockAddress(
  db: Db,
  { channel, address: typed, reason }: BodyOf<typeof suppressions.block>,
  by: By,
): Promise<string> {
  const read = await readAddress(db, channel, typed);
  if ("reason" in read) throw refusal("address-not-valid", { sentence: read.reason });
  const { address } = read;
  await transaction(db, async (tx) => {
    const { rows } = await sql`
      INSERT INTO suppressions (channel, address, reason, source, kind, actor_id)
      VALUES (${channel}, ${address}, ${reason}, 'console', 'manual', ${by.user.id})
      ON CONFLICT (channel, address) DO NOTHING RETURNING 1`.execute(tx);
    if (rows.length === 0) throw refusal("address-blocked-already");
    await recordAudit(tx, {
      by,
      action: "user.block-address",
      subject: { type: "user", id: await onlyHolder(tx, { channel, address }) },
      detail: { channel, address, reason },
    });
  });
  return address;
}

/** An address as it is stored, or why it can't be one. */
async function readAddress(
  db: Db,
  channel: Channel,
  typed: string,
): Promise<{ address: string } | { reason: string }> {
  if (addressKind(channel) !== "phone") {
    const { rows } = await sql<{ address: string }>`SELECT lower(${typed}) AS address`.execute(db);
    return rows[0]!;
  }
  const reading = readPhone(typed, await readHomeCountry(db));
  return "phone" in reading ? { address: reading.phone } : reading;
}
