import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, transaction } from "#server/db/database.ts";
import { countWeeklyCode } from "#server/features/two-factor/code-limit.ts";
import { cookiesIn, type Person, type TwoFactorApp, twoFactorApp } from "#server/testing/two-factor.ts";

/** Codes guessed over days by someone who has the password. */

let app: TwoFactorApp;
beforeAll(async () => {
  app = await twoFactorApp();
});
afterAll(() => app.close());

/** A wrong code in the sign-in of `pending`, after the minutes that the one before it costs. */
async function guess(pending: string, by = "app") {
  await app.porchlight.db.deleteFrom("sign_in_throttle").execute();
  return app.secondStep(pending, by === "app" ? "000000" : "ABCDE-FGHJK", by);
}
const guesses = async ({ username }: Person, times: number) => {
  const pending = await app.firstStep(username);
  for (let n = 0; n < times; n++) expect((await guess(pending)).statusCode).toBe(401);
};
const passDays = (days: number, { userId }: Person) =>
  sql`UPDATE wrong_codes SET at = at - make_interval(days => ${days}) WHERE user_id = ${userId}`.execute(
    app.porchlight.db,
  );
const notices = async ({ userId }: Person) => {
  const rows = await app.porchlight.db
    .selectFrom("notifications")
    .select("title")
    .where("kind", "=", "notice")
    .where("created_by", "=", userId)
    .where("title", "like", "%wrong codes%")
    .orderBy("id")
    .execute();
  return rows.map(({ title }) => title);
};
const refused = {
  code: "too-many-requests",
  message:
    "Too many wrong codes this week. Use a passkey or a browser you've signed in with before, or ask an administrator for a link to set a new password.",
};
async function withApp() {
  const person = await app.person("staff", { email: "staff@example.com" });
  const { secret } = await app.turnOnApp(person);
  app.passSeconds(30);
  return { person, secret, right: () => (app.passSeconds(30), app.codeOf(secret)) };
}

test("twenty wrong codes in a week are the most, then the right one is refused too, and it is on record", async () => {
  const { person, right } = await withApp();
  const before = cookiesIn(await app.secondStep(await app.firstStep(person.username), right()));
  await guesses(person, 10);
  await passDays(4, person);
  await guesses(person, 10);
  await app.porchlight.db.deleteFrom("sign_in_throttle").execute();
  const reply = await app.secondStep(await app.firstStep(person.username), right());
  expect(reply.json()).toEqual(refused);
  expect(Number(reply.headers["retry-after"])).toBeGreaterThan(2 * 24 * 3600);
  expect((await guess(await app.firstStep(person.username), "recovery")).json()).toEqual(refused);
  const rows = await sql<{ detail: object }>`SELECT detail FROM audit
    WHERE action = 'two-factor.limit' AND subject_id = ${person.userId}`.execute(app.porchlight.db);
  expect(rows.rows).toEqual([{ detail: { codes: 20 } }]);

  // The person's own browser is not affected by a guesser elsewhere.
  const browser = before.split("; ").find((one) => one.startsWith("porchlight-browser")) ?? "";
  const pending = await app.firstStep(person.username, browser);
  expect((await app.secondStep(`${pending}; ${browser}`, right())).statusCode).toBe(200);

  await passDays(4, person);
  expect((await app.secondStep(await app.firstStep(person.username), right())).statusCode).toBe(200);
});

test("of two codes at once after nineteen, one is refused", async () => {
  const { person } = await withApp();
  await guesses(person, 19);
  const { db } = app.porchlight;
  const count = (by: Db) => countWeeklyCode(by, person.userId, null);
  const second = await transaction(db, async (tx) => {
    await count(tx);
    const counted = Promise.allSettled([count(db)]);
    await Promise.race([counted, sleep(200)]);
    return { counted };
  });
  expect(await second.counted).toMatchObject([{ status: "rejected", reason: { code: "too-many-requests" } }]);
});

test("a new password lets codes count again", async () => {
  const { person, right } = await withApp();
  await guesses(person, 20);
  const admin = await app.person("admin");
  const url = `/api/users/${person.userId}`;
  const form = (await app.call("GET", url, undefined, admin.cookie)).json<object>();
  const next = "nine ripe plums!";
  expect((await app.call("PUT", url, { ...form, password: next }, admin.cookie)).statusCode).toBe(200);
  await app.porchlight.db.deleteFrom("sign_in_throttle").execute();
  const again = await app.call("POST", "/api/auth/login", { username: person.username, password: next });
  expect((await app.secondStep(cookiesIn(again), right())).statusCode).toBe(200);
});

test("from the third wrong code the person gets a notice, one a day, and one more at the limit", async () => {
  const { person } = await withApp();
  await guesses(person, 2);
  expect(await notices(person)).toEqual([]);
  await guesses(person, 3);
  const wrong = "Someone entered wrong codes for your account";
  expect(await notices(person)).toEqual([wrong]);
  await passDays(2, person);
  await guesses(person, 1);
  expect(await notices(person)).toEqual([wrong, wrong]);
  await guesses(person, 14);
  expect(await notices(person)).toEqual([wrong, wrong, "Too many wrong codes for your account"]);
});

test("a person's own typing errors are forgotten in their own browser once a code is right", async () => {
  const { person, right } = await withApp();
  const signedIn = await app.secondStep(await app.firstStep(person.username), right());
  const browser = cookiesIn(signedIn)
    .split("; ")
    .find((one) => one.startsWith("porchlight-browser"))!;
  const pending = `${await app.firstStep(person.username, browser)}; ${browser}`;
  for (let n = 0; n < 2; n++) await guess(pending);
  expect((await app.secondStep(pending, right())).statusCode).toBe(200);
  const left = await sql`SELECT FROM wrong_codes WHERE user_id = ${person.userId}`.execute(app.porchlight.db);
  expect(left.rows).toEqual([]);
});
