import { execFile } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { sql, type KyselyPlugin } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { settingTable } from "#contract/calls/settings.ts";
import { connect, type Db } from "#server/db/database.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { finishRuns } from "#server/delivery/runs/finish-runs.ts";
import { processReceipts } from "#server/delivery/receipts/process.ts";
import { readTrackingKey, trackerFor } from "#server/delivery/receipts/tracking-address.ts";
import { startScheduler } from "#server/delivery/schedules/scheduler.ts";
import { sendAgain } from "#server/delivery/retry/send-again.ts";
import { startRun } from "#server/delivery/runs/start-run.ts";
import { imbalance } from "#server/delivery/testing/run-totals.ts";
import { quiet } from "#server/delivery/testing/quick-worker.ts";
import { dependencies } from "#server/delivery/testing/scene.ts";
import { readHead } from "#server/features/reports/head.ts";
import { timesIn } from "#server/features/reports/times.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";
import { archiveNext } from "./archive-month.ts";
import { discardMonth } from "./discard-month.ts";
import { parseManifest } from "./month-files.ts";
import { monthTables, partitioned } from "./month-tables.ts";
import { restoreMonth } from "./restore-month.ts";

let porchlight: TestApp;
let db: Db;
let admin: Caller;
let people: number[];
let folder: string;

beforeAll(async () => {
  porchlight = await testApp();
  ({ db } = porchlight);
  admin = await porchlight.signedIn("admin", { firstName: "Ada" });
  people = [
    await insertPerson(db, { firstName: "Mei", lastName: "Tanaka", propertyUnit: "Maple\u2028Court 4B" }),
    await insertPerson(db, { firstName: "Bo", lastName: "Chen" }),
  ];
  await sql`UPDATE users SET created_at = '2020-01-01'`.execute(db);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-archive-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => porchlight.close());

const get = (url: string) => porchlight.call({ method: "GET", url }, admin);
const next = (keepMonths = 12, on = db) => archiveNext(on, { folder, keepMonths });
const restore = (name: string) => restoreMonth(db, { folder, name });
const command = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, "../../archive.ts"), ...args], {
    env: { PATH: process.env["PATH"], DATABASE_URL: porchlight.url, PORCHLIGHT_ARCHIVE: folder },
  });
/** What it says when it fails, without a stack. */
const failureOf = (env: object) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, "../../archive.ts")], {
    env: { PATH: process.env["PATH"], PORCHLIGHT_ARCHIVE: folder, ...env },
  }).then(
    () => undefined,
    ({ stderr }: { stderr: string }) => stderr,
  );
const nameOf = (month: number) => `${Math.floor(month / 100)}-${String(month % 100).padStart(2, "0")}`;

test("the command says in a sentence that there is no database", async () => {
  expect(await failureOf({ PORCHLIGHT_DATA: folder })).toMatch(/^There is no database in \S+\. Name .*\n$/);
  expect(await failureOf({ DATABASE_URL: "postgres://127.0.0.1:1/none" })).toMatch(
    /^The database \S+ cannot be used: .*ECONNREFUSED.*\n$/,
  );
});

/** Each test has months of its own, newest first, so that the oldest is the one that it has just made. */
let latest = 202412;
const anotherMonth = () => (latest -= latest % 100 === 1 ? 89 : 1);

/** A message that was sent, as if in this month, with everything that can hang on it. */
async function sentIn(month: number, more: object = {}): Promise<{ id: number; runId: number }> {
  const body = {
    title: "Water off",
    content: "Hello {{first_name}}",
    recipients: people.map((id) => ({ type: "user", id })),
    channels: ["email", "sms"],
    status: "Draft",
    ...more,
  };
  const reply = await porchlight.call({ method: "POST", url: "/api/notifications", body }, admin);
  const { id } = reply.json<{ id: number }>();
  await startRun(db, id, { organization: readOrganization }, { startedBy: admin.userId });
  const { rows } = await sql<{ id: number }>`
    UPDATE runs SET id = ${month}::bigint * 1000000000 + id % 1000000000 WHERE notification_id = ${id} RETURNING id`.execute(
    db,
  );
  const accounts = await sql<{ id: number }>`
    SELECT min(id) AS id FROM accounts WHERE channel = 'email' AND simulated`.execute(db);
  // As a worker does for the Sandbox: it accepts while the run is fanned out.
  const sandbox = {
    token: 0,
    accounts: [{ id: accounts.rows[0]!.id, channel: "email" as const, accepts: () => sql`true` }],
  };
  while ((await fanOutSome(db, undefined, { sandbox }))?.done === false);
  await finishRuns(db, null);
  const runId = rows[0]!.id;
  await sql`UPDATE runs SET created_at = to_date(${String(month)}, 'YYYYMM') + interval '8 days 12:34:56.123456',
    finished_at = to_date(${String(month)}, 'YYYYMM') + interval '9 days' WHERE id = ${runId}`.execute(db);
  await sql`INSERT INTO delivery_events (delivery_id, at, kind, detail)
    SELECT id, '2024-03-10 12:34:56.654321-07', 'delayed', E'Line one\nline \u2029 two, "quoted" \\\\ and \t' FROM deliveries
    WHERE run_id = ${runId}`.execute(db);
  await sql`INSERT INTO earlier_addresses SELECT id, 0, 'old@example.com' FROM deliveries
    WHERE run_id = ${runId} AND channel = 'email'`.execute(db);
  return { id, runId };
}

/** How many rows and values of a file are in the database. */
async function leftOf(valuesId: number): Promise<[number, number]> {
  const { rows } = await sql<{ lines: number; values: number }>`
    SELECT (SELECT count(*) FROM import_rows WHERE import_id = ${valuesId}) AS lines,
      (SELECT count(*) FROM person_values WHERE values_id = ${valuesId}) AS values`.execute(db);
  return [rows[0]!.lines, rows[0]!.values];
}

/** Every row of a month, as text, by table. */
async function rowsOf(month: number): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of monthTables) {
    const key = table === "deliveries" || table === "run_people" ? "run_id" : "delivery_id";
    const { rows } = await sql<{ row: string }>`
      SELECT t::text AS row FROM ${sql.table(table)} t
      WHERE ${sql.ref(`t.${key}`)} / 1000000000 = ${month} ORDER BY 1`.execute(db);
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

/** What the printed report of this notification begins with. */
const headOf = (notification: NotificationDetail) => {
  const settings = { companyLogo: "", siteName: "", siteEmail: "", timezone: "UTC" };
  const times = timesIn("UTC", new Date());
  return readHead(db, { notification, progress: notification.progress!, settings, times, now: new Date() });
};

const none = Object.fromEntries(monthTables.map((table) => [table, []]));

test("a month goes to files, with everything proved, and comes back row for row", async () => {
  const month = anotherMonth();
  const name = nameOf(month);
  const { id, runId } = await sentIn(month);
  const before = await rowsOf(month);
  for (const table of monthTables) expect([table, before[table]!.length]).not.toEqual([table, 0]);
  const detail = (await get(`/api/notifications/${id}`)).json();
  const deliveryId = (await get(`/api/notifications/${id}/deliveries`)).json()[0].id;
  expect(detail.progress.archived).toBeNull();

  expect(await next(0)).toBeNull();
  expect(await next(1200)).toBeNull();
  expect(await next()).toBe(month);
  expect(await next()).toBeNull();

  expect(await rowsOf(month)).toEqual(none);
  expect(await imbalance(db)).toEqual([]);
  // The notification stays, with its figures.
  const after = (await get(`/api/notifications/${id}`)).json();
  const { archived } = after.progress;
  expect(archived).toEqual({
    month: name,
    at: expect.stringMatching(/^20/),
    sha256: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect({ ...after, progress: { ...after.progress, archived: null } }).toEqual(detail);
  const listed = (await get("/api/notifications")).json<{ id: number; progress: object }[]>();
  expect(listed.find((row) => row.id === id)).toMatchObject({ progress: { archived, people: 2 } });
  // Who got it is nowhere shown as nothing.
  const list = await get(`/api/notifications/${id}/deliveries`);
  expect([list.json(), list.headers["x-total-count"]]).toEqual([[], "0"]);
  const sentence = "have been archived";
  expect((await get(`/api/deliveries/${deliveryId}`)).json()).toMatchObject({
    code: "not-found",
    message: expect.stringContaining(sentence),
  });
  expect((await get(`/api/deliveries/${deliveryId}/message`)).json().message).toContain(sentence);
  for (const method of ["GET", "POST"] as const) {
    const url = `/api/notifications/${id}/send-again`;
    const reply = await porchlight.call({ method, url, ...(method === "POST" && { body: {} }) }, admin);
    expect(reply.json()).toMatchObject({ code: "conflict", message: expect.stringContaining(sentence) });
  }
  expect((await get(`/api/notifications/${id}/report.csv`)).body).toContain(archived.sha256);
  const head = await headOf(after);
  expect(head.notices.at(-1)).toEqual({
    title: "People are archived",
    text: expect.stringContaining(archived.sha256),
  });
  expect(head.listed).toBe(0);
  expect((await get(`/api/users/${people[0]}`)).json().archivedThrough).toBe(name);
  expect((await get("/api/profile")).json().archivedThrough).toBe(name);
  const log = await get("/api/audit?kind=messages");
  expect(JSON.stringify(log.json())).toContain("archived the delivery details of ");

  // Plain files: a row in each line, and a manifest whose hash the database has.
  const manifest = parseManifest(await readFile(join(folder, name, "manifest.json"), "utf8"));
  expect(manifest.files.map(({ table, rows }) => [table, rows])).toEqual(
    monthTables.map((table) => [table, before[table]!.length]),
  );
  const lines = gunzipSync(await readFile(join(folder, name, "deliveries.jsonl.gz")))
    .toString()
    .trimEnd();
  expect(lines.split("\n").map((line) => JSON.parse(line).run_id)).toEqual(Array(4).fill(runId));

  // The command checks the files, and brings them back.
  expect((await command()).stdout).toMatch(
    new RegExp(`^${name}  archived on .*, 4 deliveries, manifest ${archived.sha256}, unaltered$`, "m"),
  );
  await expect(restore("1999-01")).rejects.toThrow("1999-01 is not archived.");
  expect((await command("restore", name)).stdout).toContain("is back in the database");
  expect(await rowsOf(month)).toEqual(before);
  expect(await imbalance(db)).toEqual([]);
  expect((await get(`/api/notifications/${id}`)).json()).toEqual(detail);
  expect((await get(`/api/deliveries/${deliveryId}`)).statusCode).toBe(200);
  expect((await get(`/api/users/${people[0]}`)).json().archivedThrough).toBeNull();
  await expect(restore(name)).rejects.toThrow(`${name} is not archived.`);

  // It stays for a month, and then goes to files of its own.
  expect(await next()).toBeNull();
  await sql`UPDATE archived_months SET restored_at = now() - interval '31 days' WHERE month = ${month}`.execute(
    db,
  );
  expect(await next()).toBe(month);
  expect((await readdir(folder)).map((entry) => entry.split(".")[0])).toEqual([name, name]);
});

/**
 * Fails where no attempt has failed before: before a statement, or after it and before what follows. Then nothing works
 * anymore, because the process is gone.
 */
function dying(failed: Set<string>): KyselyPlugin {
  const statements = new Map<string, string>();
  let dead = false;
  const pass = (moment: string) => {
    dead ||= !failed.has(moment);
    failed.add(moment);
    if (dead) throw new Error("killed");
  };
  return {
    transformQuery({ node, queryId }) {
      // Without values, which differ from attempt to attempt.
      const text = JSON.stringify(node, (key, value: unknown) => (key === "value" ? undefined : value));
      statements.set(queryId.queryId, text);
      if (dead) throw new Error("killed");
      pass(`before ${text}`);
      return node;
    },
    transformResult({ result, queryId }) {
      if (dead) throw new Error("killed");
      pass(`after ${statements.get(queryId.queryId)}`);
      return Promise.resolve(result);
    },
  };
}

test("the values of a file go with the last month that has them, and the report of a month brought back has what arrived", async () => {
  const { rows } = await sql<{ username: string }>`
    SELECT username FROM users WHERE id = ANY(${people}::bigint[]) ORDER BY id`.execute(db);
  const file = await porchlight.app.inject({
    method: "POST",
    url: "/api/values?name=rent.csv&fields=amount",
    headers: { cookie: admin.cookie, "content-type": "application/octet-stream" },
    payload: `Username,Amount,Secret\r\n${rows.map(({ username }, n) => `${username},$${n + 7},${n}`).join("\r\n")}`,
  });
  const valuesId = file.json<{ id: number }>().id;
  const rent = { content: "{{amount}}", valuesId };
  const [later, month] = [anotherMonth(), anotherMonth()];
  const { id } = await sentIn(month, rent);
  const other = await sentIn(later, { ...rent, content: "Still {{amount}}" });
  const was = await leftOf(valuesId);
  expect(was).toEqual([3, 2]);

  expect(await next()).toBe(month);
  expect(await leftOf(valuesId)).toEqual(was);
  expect(await next()).toBe(later);
  expect(await leftOf(valuesId)).toEqual([0, 0]);
  expect((await get(`/api/notifications/${id}`)).json()).toMatchObject({ valuesId, values: null });
  // No one sends them again without their values.
  const copy = { title: "Rent", message: "{{amount}}", channels: ["email"], valuesId };
  const again = { ...copy, recipients: people.map((id) => ({ type: "user", id })) };
  const reply = await porchlight.call({ method: "POST", url: "/api/send-notification", body: again }, admin);
  expect(reply.json()).toMatchObject({ fields: { valuesId: expect.stringContaining("no longer exists") } });

  await restore(nameOf(later));
  const csv = (await get(`/api/notifications/${other.id}/report.csv`)).body;
  expect(csv).toMatch(/^\uFEFFamount,Person,/);
  expect(csv).toContain("$7.00,Mei Tanaka,");
  expect(csv).not.toContain("Secret");
});

test("killed between any two steps, it goes on where it was: nothing is lost or archived twice", async () => {
  const month = anotherMonth();
  await sentIn(month);
  const before = await rowsOf(month);
  const failed = new Set<string>();
  for (let done: number | null = null; done === null;) {
    const doomed = connect(porchlight.url, { max: 1 });
    // Until the database has noticed that the last one is gone, it does nothing.
    done = await next(12, doomed.withPlugin(dying(failed))).catch((error: Error) => {
      expect(error.message).toBe("killed");
      return null;
    });
    await doomed.destroy();
  }
  expect(failed.size).toBeGreaterThan(40);
  expect(await rowsOf(month)).toEqual(none);
  expect(await readdir(folder)).toEqual([nameOf(month)]);
  const archived = sql`SELECT FROM audit WHERE action = 'month.archive' AND detail @> ${JSON.stringify({ month })}::jsonb`;
  expect((await archived.execute(db)).rows).toHaveLength(1);
  await until(() => restore(nameOf(month)));
  expect(await rowsOf(month)).toEqual(before);
});

test("a reader who won't let go holds up no one else, and the month is taken out afterwards", async () => {
  const month = anotherMonth();
  const { id } = await sentIn(month);
  await db.transaction().execute(async (reader) => {
    await sql`SELECT FROM deliveries LIMIT 1`.execute(reader);
    const waiting = next().catch((error: Error) => error.message);
    await until(async () => {
      const { rows } = await sql`SELECT FROM pg_inherits WHERE inhdetachpending`.execute(db);
      expect(rows).toHaveLength(1);
    });
    await sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%DETACH PARTITION%' AND pid <> pg_backend_pid()`.execute(
      db,
    );
    expect(await waiting).toContain("canceling statement");
    // It is on its way to the files, which the screens say.
    expect((await get(`/api/notifications/${id}`)).json().progress.archived).toEqual({
      month: nameOf(month),
      at: null,
      sha256: null,
    });
    expect((await get(`/api/notifications/${id}/report.csv`)).body).toContain("are being archived");
    const now = await sentIn(203001);
    expect((await get(`/api/notifications/${now.id}/deliveries`)).json()).toHaveLength(4);
  });
  expect(await next()).toBe(month);
  expect(await rowsOf(month)).toEqual(none);
});

test("what may still change, or is needed to remove the sample property, stays", async () => {
  const month = anotherMonth();
  const { runId } = await sentIn(month);
  const keeps = async (change: ReturnType<typeof sql>, undo: ReturnType<typeof sql>) => {
    await change.execute(db);
    expect(await next()).toBeNull();
    await undo.execute(db);
  };
  const own = sql`id = ${runId}`;
  await keeps(
    sql`UPDATE runs SET state = 'sending' WHERE ${own}`,
    sql`UPDATE runs SET state = 'finished' WHERE ${own}`,
  );
  // Someone retried a message, and its receipts may still come.
  await keeps(
    sql`UPDATE runs SET finished_at = now() WHERE ${own}`,
    sql`UPDATE runs SET finished_at = '2024-01-01' WHERE ${own}`,
  );
  for (const status of ["queued", "sending", "uncertain"]) {
    await keeps(
      sql`INSERT INTO run_counts (run_id, channel, status, reason, shard, count) VALUES (${runId}, 'email', ${status}, '', 7, 1)`,
      sql`DELETE FROM run_counts WHERE run_id = ${runId} AND shard = 7`,
    );
  }
  await keeps(
    sql`INSERT INTO resends (run_id, unconfirmed) VALUES (${runId}, false)`,
    sql`DELETE FROM resends WHERE run_id = ${runId}`,
  );
  await keeps(sql`INSERT INTO sample_rows (kind, id) VALUES ('user', 1)`, sql`DELETE FROM sample_rows`);
  // Of two at once, one does it.
  expect(await Promise.all([next(), next()]).then((found) => found.toSorted())).toEqual([month, null]);
});

test("a month goes once it is older than the setting says, and not before", async () => {
  const month = anotherMonth();
  await sentIn(month);
  const { rows } = await sql<{ now: number }>`SELECT month_of(now()) AS now`.execute(db);
  const count = (one: number) => Math.floor(one / 100) * 12 + (one % 100);
  const age = count(rows[0]!.now) - count(month);
  expect(await next(age)).toBeNull();
  expect(await next(age - 1)).toBe(month);
});

test("a month is called off when an older build has retried a message, or everything is to stay", async () => {
  const month = anotherMonth();
  const { runId } = await sentIn(month);
  const before = await rowsOf(month);
  const begun = sql`INSERT INTO archived_months (month) VALUES (${month})`;
  await begun.execute(db);
  const resend = await sql`INSERT INTO resends (run_id, unconfirmed) VALUES (${runId}, false)`.execute(db);
  expect(resend.numAffectedRows).toBe(1n);
  expect(await next()).toBeNull();
  expect(await rowsOf(month)).toEqual(before);
  await sql`DELETE FROM resends WHERE run_id = ${runId}`.execute(db);

  await writeFile(join(folder, nameOf(month)), "");
  await begun.execute(db);
  await expect(next()).rejects.toThrow("not from this database");
  expect((await rowsOf(month))["deliveries"]).toEqual([]);
  await expect(restore(nameOf(month))).rejects.toThrow("set Keep delivery details to 0");
  expect(await next(0)).toBeNull();
  expect(await rowsOf(month)).toEqual(before);
  expect((await sql`SELECT FROM archived_months WHERE month = ${month}`.execute(db)).rows).toEqual([]);
  expect(await imbalance(db)).toEqual([]);
  await rm(join(folder, nameOf(month)));
  expect(await next()).toBe(month);
});

test("without a folder that lasts nothing is archived, and a month that can't be holds up no other", async () => {
  const [newer, older] = [anotherMonth(), anotherMonth()];
  await sentIn(newer);
  await sentIn(older);
  await expect(archiveNext(db, { folder: undefined, keepMonths: 12 })).rejects.toThrow("PORCHLIGHT_ARCHIVE");
  await writeFile(join(folder, nameOf(older)), "");
  expect(await next()).toBe(newer);
  await expect(next()).rejects.toThrow("not from this database");
  await rm(join(folder, nameOf(older)));
  expect(await next()).toBe(older);
});

test("a folder that was left in its place when a month came back is put aside", async () => {
  const month = anotherMonth();
  const name = nameOf(month);
  await sentIn(month);
  await next();
  await restore(name);
  const [aside] = await readdir(folder);
  await rename(join(folder, aside!), join(folder, name));
  await sql`UPDATE archived_months SET restored_at = now() - interval '31 days' WHERE month = ${month}`.execute(
    db,
  );
  expect(await next()).toBe(month);
  expect((await readdir(folder)).map((entry) => entry.split(".")[0])).toEqual([name, name]);
});

test("a reply of the last days keeps its month", async () => {
  const month = anotherMonth();
  const { runId } = await sentIn(month);
  await sql`INSERT INTO delivery_events (delivery_id, at, kind)
    SELECT min(id), now(), 'replied' FROM deliveries WHERE run_id = ${runId}`.execute(db);
  expect(await next()).toBeNull();
  await sql`UPDATE delivery_events SET at = now() - interval '31 days' WHERE kind = 'replied'`.execute(db);
  expect(await next()).toBe(month);
});

test.each([
  [0, true],
  [1, false],
  [2, false],
  [3, true],
])("keeping %d months is accepted: %s", (months, accepted) => {
  expect(settingTable.deliveryMonths.schema.safeParse(months).success).toBe(accepted);
});

test("a retry that comes too late is refused and changes nothing", async () => {
  const month = anotherMonth();
  const { id } = await sentIn(month);
  const late = sendAgain(db, id, { includeReached: true }, async () => {
    expect(await next()).toBe(month);
  });
  await expect(late).rejects.toThrow("so no one can be retried");
  expect((await sql`SELECT FROM resends`.execute(db)).rows).toEqual([]);
});

test("an altered file is refused, and so is a folder that another database has written", async () => {
  const month = anotherMonth();
  const path = join(folder, nameOf(month));
  await sentIn(month);
  const before = await rowsOf(month);
  await writeFile(join(folder, "x"), "");
  await rename(join(folder, "x"), path);
  await expect(next()).rejects.toThrow("not from this database");
  await rm(path);
  expect(await next()).toBe(month);
  const events = join(path, "delivery_events.jsonl.gz");
  const whole = await readFile(events);
  await appendFile(events, "x");
  await expect(restore(nameOf(month))).rejects.toThrow(
    `${events} has been altered. Nothing was brought back.`,
  );
  await rm(events);
  await expect(restore(nameOf(month))).rejects.toThrow(`${events} is missing.`);
  await writeFile(events, whole);
  const manifest = await readFile(join(path, "manifest.json"), "utf8");
  await writeFile(join(path, "manifest.json"), manifest.replace('"rows": 4', '"rows": 5'));
  await expect(restore(nameOf(month))).rejects.toThrow("manifest.json has been altered");
  expect(await rowsOf(month)).toEqual(none);
  await writeFile(join(path, "manifest.json"), manifest);
  await restore(nameOf(month));
  expect(await rowsOf(month)).toEqual(before);
  for (const table of partitioned) {
    const { rows } =
      await sql`SELECT FROM pg_inherits WHERE inhrelid = to_regclass(${`${table}_${month}`})`.execute(db);
    expect(rows).toHaveLength(1);
  }
});

test("a month is discarded once that is confirmed, and then nothing promises that it can be restored", async () => {
  const month = anotherMonth();
  const name = nameOf(month);
  const { id } = await sentIn(month);
  const discard = (confirmed = true) => discardMonth(db, { folder, name, confirmed });
  await expect(discard()).rejects.toThrow(`${name} is not archived.`);
  // Brought back and archived again: the earlier files hold the same people.
  await next();
  await restore(name);
  await expect(discard()).rejects.toThrow(`${name} is not archived.`);
  await sql`UPDATE archived_months SET restored_at = now() - interval '31 days' WHERE month = ${month}`.execute(
    db,
  );
  await next();
  await mkdir(join(folder, "1999-01"));
  const unconfirmed = await command("discard", name).catch(
    (error: { code: number; stderr: string }) => error,
  );
  expect(unconfirmed).toMatchObject({ code: 1, stderr: expect.stringContaining(`discard ${name} --yes`) });
  expect(unconfirmed.stderr).toContain(join(folder, `${name}.restored-`));
  expect((await readdir(folder)).length).toBe(3);
  // Another database's, or not there at all.
  const manifest = join(folder, name, "manifest.json");
  const written = await readFile(manifest, "utf8");
  await writeFile(manifest, written.replace('"rows": 4', '"rows": 5'));
  await expect(discard()).rejects.toThrow("Nothing was discarded");
  await writeFile(manifest, written);
  await rename(join(folder, name), join(folder, "elsewhere"));
  await expect(discard()).rejects.toThrow("is missing. Nothing was discarded.");
  await rename(join(folder, "elsewhere"), join(folder, name));
  const state = (await get(`/api/notifications/${id}`)).json<NotificationDetail>();
  expect(state.progress?.archived?.sha256).toMatch(/^[\da-f]{64}$/);

  const { rows: readers } = await sql`
    INSERT INTO notice_reads (user_id, run_id) SELECT u.id, r.id FROM users u, runs r WHERE r.notification_id = ${id}
    RETURNING run_id`.execute(db);
  expect(readers).not.toEqual([]);

  expect((await command("discard", name, "--yes")).stdout).toContain(`${name} is discarded`);
  expect((await sql`SELECT FROM notice_reads`.execute(db)).rows).toEqual([]);
  expect(await readdir(folder)).toEqual(["1999-01"]);
  // It fails, because the other tests' files are missing.
  const checked = await command().catch((error: { stdout: string }) => error);
  expect(checked.stdout).toMatch(new RegExp(`^${name}  archived on .*, and discarded since$`, "m"));
  const after = (await get(`/api/notifications/${id}`)).json<NotificationDetail>();
  const archived = { ...state.progress!.archived, sha256: null };
  expect(after).toEqual({ ...state, progress: { ...state.progress, archived } });
  expect((await get(`/api/notifications/${id}/send-again`)).json().message).toContain("have been discarded");
  const gone = "have since been discarded. They can't be restored.";
  expect((await get(`/api/notifications/${id}/report.csv`)).body).toContain(gone);
  expect((await headOf(after)).notices.at(-1)).toEqual({
    title: "Delivery details were discarded",
    text: expect.stringContaining(gone),
  });
  const log = JSON.stringify((await get("/api/audit?kind=messages")).json());
  expect(log).toContain("discarded the archived delivery details of ");
  await expect(restore(name)).rejects.toThrow(`${name} was discarded: its files are deleted.`);
  await expect(discard()).rejects.toThrow(`${name} was discarded: its files are deleted.`);
  expect(await next()).toBeNull();
  expect(await imbalance(db)).toEqual([]);
});

test("receipts and clicks that come later are counted, and fail nothing", async () => {
  const month = anotherMonth();
  const { runId } = await sentIn(month);
  const { rows } = await sql<{ id: number; key: string }>`
    SELECT d.id, v.compiled ->> 'key' AS key FROM deliveries d
    JOIN runs r ON r.id = d.run_id JOIN content_versions v ON v.id = r.content_version_id
    WHERE d.run_id = ${runId} AND d.channel = 'email' LIMIT 1`.execute(db);
  const [{ id, key }] = rows as [{ id: number; key: string }];
  await next();
  const event = { what: "bounced", at: new Date(), eventId: "late", reference: `${key}-${id}` };
  await sql`INSERT INTO receipts (account_id, event_id, event)
    SELECT min(id), 'late', ${JSON.stringify(event)}::jsonb FROM accounts WHERE channel = 'email'`.execute(
    db,
  );
  const failed: unknown[] = [];
  expect(await processReceipts(db, (error) => failed.push(error))).toEqual({
    moved: [],
    late: 1,
    more: false,
  });
  const tracker = trackerFor(await readTrackingKey(db), new URL("https://notices.example.com"))!;
  const { pathname } = new URL(tracker.addressOf({ deliveryId: id, round: 0 }));
  const click = await porchlight.call({ method: "GET", url: `${pathname}/0` });
  expect([click.statusCode, click.body]).toEqual([410, expect.stringContaining("This email is too old")]);
  expect((await porchlight.call({ method: "GET", url: `${pathname}/open.gif` })).statusCode).toBe(200);
  const counted = await sql`SELECT late_receipts AS late, processed_at IS NOT NULL AS processed
    FROM archived_months, receipts WHERE month = ${month}`.execute(db);
  expect([counted.rows, failed]).toEqual([[{ late: 2, processed: true }], []]);
});

test("the scheduler does it, as the setting says", async () => {
  const month = anotherMonth();
  await sentIn(month);
  const keepMonths = () => Promise.resolve(12);
  const scheduler = startScheduler({ db, dependencies, log: quiet, archive: { db, folder, keepMonths } });
  await until(async () => expect(await readdir(folder)).toContain(nameOf(month)));
  await scheduler.stop();
});
