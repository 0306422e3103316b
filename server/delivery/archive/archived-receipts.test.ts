import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { sql, type KyselyPlugin } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { monthName } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { until } from "#server/testing/until.ts";
import { finishRuns } from "../runs/finish-runs.ts";
import { processReceipts } from "../receipts/process.ts";
import { recount } from "../testing/run-totals.ts";
import { addPeople, clear, fanOutAll, send } from "../testing/scene.ts";
import type { Receipt } from "../transports/webhook.ts";
import { archiveNext } from "./archive-month.ts";
import { restoreMonth } from "./restore-month.ts";

/** Receipts for messages of a month that is being archived, called off or brought back. */

let database: TestDatabase;
let db: Db;
let folder: string;
let message: { id: number; reference: string; account: number };
let sent = 0;
/** Each test has a month of its own. */
let month = 202409;

beforeAll(async () => {
  database = await testDatabase();
  ({ db } = database);
});
afterAll(() => database.close());

/** One email, accepted long ago. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-archive-"));
  await clear(db);
  await sql`DELETE FROM archived_months`.execute(db);
  [sent, month] = [0, month - 1];
  await addPeople(db, 1);
  await send(db);
  await sql`UPDATE runs SET id = ${month}::bigint * 1000000000 + 1`.execute(db);
  await fanOutAll(db);
  await sql`UPDATE deliveries SET status = 'accepted', reason = NULL, accepted_at = now(), provider_message_id = 'm1',
    account_id = (SELECT min(id) FROM accounts WHERE channel = 'email')`.execute(db);
  await recount(db);
  await finishRuns(db, null);
  await sql`UPDATE runs SET created_at = '2024-01-09', finished_at = '2024-01-10'`.execute(db);
  const { rows } = await sql<typeof message>`
    SELECT d.id, concat(v.compiled ->> 'key', '-', d.id) AS reference, d.account_id AS account
    FROM deliveries d, content_versions v`.execute(db);
  [message] = rows as [typeof message];
});
afterEach(() => rm(folder, { recursive: true }));

const archive = (keepMonths = 12) => archiveNext(db, { folder, keepMonths });
const restore = () => restoreMonth(db, { folder, name: monthName(month) });

/** The month is taken out, but can't be written. */
async function archiveInVain(): Promise<void> {
  await writeFile(join(folder, monthName(month)), "");
  await sql`INSERT INTO archived_months (month) VALUES (${month}) ON CONFLICT (month) DO UPDATE
    SET manifest = NULL, archived_at = NULL, restored_at = NULL`.execute(db);
  await expect(archive()).rejects.toThrow("not from this database");
  await rm(join(folder, monthName(month)));
}

/** A complaint that has waited for so long that it is given up if its message isn't on record. */
async function complain(about: Partial<Receipt> = { reference: message.reference }): Promise<void> {
  sent += 1;
  const event = { what: "complained", at: new Date(), address: "Mei@example.com", ...about };
  await sql`INSERT INTO receipts (account_id, event_id, event, received_at)
    VALUES (${message.account}, ${`${sent}`}, ${JSON.stringify(event)}, now() - interval '16 minutes')`.execute(
    db,
  );
}

/** @returns how many were late */
async function applyAll(): Promise<number> {
  await sql`UPDATE receipts SET retry_at = now() WHERE processed_at IS NULL`.execute(db);
  return (await processReceipts(db, fail)).late;
}

function fail(error: unknown): never {
  throw error;
}

const count = async (from: ReturnType<typeof sql>) =>
  (await sql<{ count: number }>`SELECT count(*) AS count FROM ${from}`.execute(db)).rows[0]!.count;
const waiting = () => count(sql`receipts WHERE processed_at IS NULL`);
const applied = () => count(sql`delivery_events WHERE kind = 'complained'`);
const blocked = async () =>
  (await sql`DELETE FROM suppressions RETURNING channel, address, reason, kind`.execute(db)).rows;

/**
 * Receipts are being applied. After the nth statement of that, `act` goes as far as it can; then both go on.
 * @returns how many receipts were late, and whether there is such a statement
 */
async function between(n: number, act: () => Promise<unknown>): Promise<{ late: number; reached: boolean }> {
  const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let statements = 0;
  const pause: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1;
      if (statements === n) {
        reached.resolve();
        await go.promise;
      }
      return result;
    },
  };
  const applying = processReceipts(db.withPlugin(pause), (error) => {
    // All of them wait for that, together and alone.
    if (!inspect(error).includes("A month is being archived")) fail(error);
  });
  await Promise.race([reached.promise, applying]);
  let acted = false;
  const acting = act().finally(() => (acted = true));
  await until(async () => {
    const { rows } = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
    expect(acted || rows.length > 0).toBe(true);
  });
  go.resolve();
  const { late } = await applying;
  await acting;
  return { late, reached: statements >= n };
}

test.each([
  ["archived", () => Promise.resolve(), archive, 1],
  // These wait until no receipt is being applied, so a few moments are enough.
  ["called off", archiveInVain, () => archive(0), 3],
  ["brought back", archive, restore, 3],
])("while its month is %s, a receipt is applied or counted", async (_, prepare, act, step) => {
  let late = 0;
  for (let [n, more] = [1, true]; more; n += step) {
    await prepare();
    await complain();
    const during = await between(n, act);
    more = during.reached;
    late += during.late + (await applyAll());
    expect([n, await waiting(), await blocked()]).toEqual([n, 0, [expect.anything()]]);
    if (act === archive) await restore();
    expect([n, (await applied()) + late]).toEqual([n, sent]);
    await sql`UPDATE archived_months SET restored_at = now() - interval '31 days'`.execute(db);
  }
  expect(sent).toBeGreaterThan(6 / step);
});

test("while its month can't be archived, a receipt waits for as long as it takes", async () => {
  await complain();
  await complain({ messageId: "m1" });
  await archiveInVain();
  expect([await applyAll(), await waiting()]).toEqual([0, 2]);
  expect(await archive(0)).toBeNull();
  expect([await applyAll(), await waiting(), await applied()]).toEqual([0, 0, 2]);
});

test("a complaint about an archived message blocks the address that the provider names", async () => {
  expect(await archive()).toBe(month);
  await complain();
  await complain({ reference: `another-${message.id}`, address: "else@example.com" });
  await complain({ reference: message.reference, address: undefined });
  expect([await applyAll(), await waiting()]).toEqual([3, 0]);
  const reason = "They marked a message as spam.";
  expect(await blocked()).toEqual([
    { channel: "email", address: "mei@example.com", reason, kind: "complaint" },
  ]);
  await complain({ reference: message.reference, what: "unsubscribed", address: "İpek@example.com" });
  await applyAll();
  // In PostgreSQL's lower case, like the address of a message.
  expect(await blocked()).toMatchObject([
    { address: "ipek@example.com", reason: "They unsubscribed.", kind: "unsubscribe" },
  ]);
  await complain({ reference: message.reference, what: "bounced", suppress: true });
  expect([await applyAll(), await blocked()]).toEqual([1, []]);
});
