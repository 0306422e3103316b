import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { countRegistration, countTry, forgiveTries } from "#server/features/auth/throttle.ts";
import { type TestDatabase, testDatabase } from "#server/testing/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => database.db.deleteFrom("sign_in_throttle").execute());
afterAll(() => database.close());

const guess = (account: string, ip: string) => countTry(database.db, account, { ip });
const allowed = (tries: Promise<unknown>[]) =>
  Promise.allSettled(tries).then((all) => all.filter(({ status }) => status === "fulfilled").length);
const times = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("registering", () => {
  const register = (ip: string) => countRegistration(database.db, ip);

  test("may be one of a hundred neighbours on one line, and no flood", async () => {
    expect([100, 101]).toContain(await allowed(times(140).map(() => register("203.0.113.5"))));
    expect(await allowed([register("198.51.100.7"), guess("ada", "203.0.113.5")])).toBe(2);
  });
});

describe("a guesser", () => {
  test("has five tries, however many he makes at the same moment", async () => {
    const through = await allowed(times(40).map(() => guess("ada", "203.0.113.5")));
    // The fifth makes the next wait for a second; a slow machine may let that pass.
    expect([5, 6]).toContain(through);
  });

  test("is one, whichever address of his IPv6 line he comes from", async () => {
    const line = (n: number) => guess("ada", `2001:db8:1:2:${n.toString(16)}::9`);
    expect([5, 6]).toContain(await allowed(times(20).map(line)));
    expect(await allowed([guess("ada", "2001:db8:1:3::9"), guess("ada", "2001:db8::2:9")])).toBe(2);
  });

  test("is not the whole world where IPv4 addresses are written as IPv6", async () => {
    expect(await allowed(times(20).map((n) => guess("ada", `::ffff:203.0.113.${n}`)))).toBe(20);
    expect(await allowed([guess("ada", "203.0.113.5"), guess("ada", "::ffff:203.0.113.5")])).toBe(2);
    const rows = await database.db.selectFrom("sign_in_throttle").select("key").execute();
    // An origin and an account of each, and the account of all.
    expect(rows).toHaveLength(41);
  });

  test("a caller who has to wait leaves no trace of further names", async () => {
    for (const n of times(50)) await guess(`name${n}`, "203.0.113.5");
    expect(await allowed(times(10).map((n) => guess(`other${n}`, "203.0.113.5")))).toBe(0);
    const rows = await database.db
      .selectFrom("sign_in_throttle")
      .select("key")
      .where("key", "like", "account:other%")
      .execute();
    expect(rows).toEqual([]);
  });

  test("waits longer each time, up to a quarter of an hour", async () => {
    const waits: number[] = [];
    for (const _ of times(16)) {
      await database.db
        .updateTable("sign_in_throttle")
        .set({ blocked_until: new Date(0) })
        .execute();
      await guess("ada", "203.0.113.5");
      const { rows } = await sql<{ wait: number }>`
        SELECT extract(epoch FROM blocked_until - updated_at)::int AS wait FROM sign_in_throttle
        WHERE key LIKE 'account:%'`.execute(database.db);
      waits.push(rows[0]?.wait ?? -1);
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  test("has thirty tries at an account from all addresses together, and no browser that it knows waits", async () => {
    const from = (n: number) => guess("ada", `198.51.${Math.floor(n / 250)}.${n % 250}`);
    const tries = await Promise.allSettled(times(120).map(from));
    const judged = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value.lastFreeEverywhere] : []));
    expect([30, 31]).toContain(judged.length);
    expect(judged.filter(Boolean)).toHaveLength(1);
    expect(await allowed([guess("ben", "198.51.0.1")])).toBe(1);
    const known = { ip: "198.51.0.1", browser: "browser:ada" };
    expect(await allowed([countTry(database.db, "ada", known)])).toBe(1);
  });

  test("is told how long", async () => {
    await guess("ada", "203.0.113.5");
    await sql`UPDATE sign_in_throttle SET blocked_until = now() + interval '290 seconds'`.execute(
      database.db,
    );
    await expect(guess("ada", "203.0.113.5")).rejects.toMatchObject({
      code: "too-many-requests",
      message: "Too many attempts. Try again in 5 minutes.",
    });
  });

  test("delays no one behind the same address whose browser is known, and is counted in it anyway", async () => {
    const ip = "203.0.113.5";
    await allowed(times(60).map((n) => guess(`name${n}`, ip)));
    const known = (browser: string) => countTry(database.db, "ada", { ip, browser });
    await expect(guess("ada", ip)).rejects.toThrow("Too many attempts");
    expect([5, 6]).toContain(await allowed(times(20).map(() => known("browser:1"))));
    expect(await allowed([known("browser:2")])).toBe(1);
  });

  test("a successful sign-in clears earlier failures", async () => {
    for (const _ of times(4)) await guess("ada", "203.0.113.5");
    await forgiveTries(database.db, "ada", { ip: "203.0.113.5" });
    expect(await allowed(times(5).map(() => guess("ada", "203.0.113.5")))).toBe(5);
  });

  test("is forgiven after a quiet hour", async () => {
    for (const _ of times(5)) await guess("ada", "203.0.113.5");
    const later = { updated_at: new Date(Date.now() - 61 * 60_000) };
    await database.db.updateTable("sign_in_throttle").set(later).execute();
    expect(await allowed(times(5).map(() => guess("ada", "203.0.113.5")))).toBe(5);
  });
});
