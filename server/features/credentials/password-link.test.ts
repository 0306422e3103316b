import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { renderEmail, renderSms } from "#server/delivery/content/render.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { credentialsScene } from "#server/testing/credentials.ts";
import { newestMessage, passwordTokenIn } from "#server/testing/worker.ts";
import { until } from "#server/testing/until.ts";

/** What a one-time link opens, for how long, and how often. */

const scene = await credentialsScene();
const { porchlight, email, sms, admin, call, insert, send, open, use, mailedToken } = scene;

beforeEach(scene.forgetMessages);
afterAll(scene.close);

describe("a link is dead", () => {
  const dead = Array.from({ length: 2 }, () => ({
    code: "not-found",
    message: "This link is no longer valid. Ask your property manager for a new one.",
  }));
  /** What is said to who opens it and to who uses it. */
  const answers = async (token: string) => [(await open(token)).json(), (await use(token)).json()];

  beforeEach(() => porchlight.db.deleteFrom("sign_in_throttle").execute());

  test("that no one ever made", async () => expect(await answers("A".repeat(27))).toEqual(dead));

  test("after 24 hours", async () => {
    const token = await mailedToken(await insert());
    const { rows } = await sql<{ hours: number }>`
      SELECT max(extract(epoch FROM expires_at - now()) / 3600)::float8 AS hours FROM password_links`.execute(
      porchlight.db,
    );
    expect(rows[0]?.hours).toBeCloseTo(24, 1);
    await sql`UPDATE password_links SET expires_at = now() - interval '1 second'`.execute(porchlight.db);
    expect(await answers(token)).toEqual(dead);
  });

  test("once it was used, with every other one of that person", async () => {
    const id = await insert({ phone: "+14155550177" });
    const first = await mailedToken(id);
    await send(id, ["sms"]);
    const { content, values, links } = await newestMessage(sms);
    const second = passwordTokenIn(renderSms(content.compiled, values, links).text);
    expect((await use(second)).statusCode).toBe(200);
    expect(await answers(first)).toEqual(dead);
    expect(await answers(second)).toEqual(dead);
  });

  test("once the password changed another way", async () => {
    const id = await insert({ username: "other.way" });
    const token = await mailedToken(id);
    const body = {
      username: "other.way",
      email: "way@example.com",
      firstName: "O",
      lastName: "W",
      role: "tenant",
    };
    // Same address, so that only the password can be what killed it.
    const { email: address } = await porchlight.db
      .selectFrom("users")
      .select("email")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await call("PUT", `/api/users/${id}`, { ...body, email: address, password: "nine ripe figs!" });
    expect(await answers(token)).toEqual(dead);
  });

  test("also one that was being made while the password changed", async () => {
    const id = await insert();
    const token = await mailedToken(id);
    await sql`UPDATE users SET password_changed_at = clock_timestamp() WHERE id = ${id}`.execute(
      porchlight.db,
    );
    expect(await answers(token)).toEqual(dead);
  });

  test("once its address is not the person's anymore", async () => {
    const id = await insert();
    const token = await mailedToken(id);
    await sql`UPDATE users SET email = 'corrected@example.com' WHERE id = ${id}`.execute(porchlight.db);
    expect(await answers(token)).toEqual(dead);
  });

  test("once the person is removed", async () => {
    const id = await insert();
    const token = await mailedToken(id);
    await porchlight.call({ method: "DELETE", url: `/api/users/${id}` }, admin);
    expect(await answers(token)).toEqual(dead);
  });
});

test("a password that the policy refuses spends nothing, however often", async () => {
  const token = await mailedToken(await insert());
  for (let n = 0; n < 8; n++) await use(token, "longenough1");
  const refused = await use(token, "longenough1");
  expect(refused.json()).toMatchObject({
    code: "invalid-input",
    fields: { password: "Password must contain at least one special character, for example ! or -" },
  });
  expect((await use(token)).statusCode).toBe(200);
});

test("the password that the person has already is refused, and the link is good for another", async () => {
  const id = await insert();
  const passwordHash = await hashPassword("three ripe figs!");
  await sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${id}`.execute(porchlight.db);
  const token = await mailedToken(id);
  expect((await use(token, "three ripe figs!")).json()).toMatchObject({
    fields: { password: "Choose a password other than your current one" },
  });
  expect((await use(token, "four ripe figs!")).statusCode).toBe(200);
});

test("of two uses at the same moment one wins, and its password holds", async () => {
  // The dead links above were tries of the same address, which by now would have to wait.
  await porchlight.db.deleteFrom("sign_in_throttle").execute();
  const id = await insert({ username: "racer" });
  const token = await mailedToken(id);
  const passwords = ["three ripe figs!", "four ripe figs!"];
  const replies = await Promise.all(passwords.map((password) => use(token, password)));
  expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
  const winner = passwords[replies.findIndex((reply) => reply.statusCode === 200)];
  const login = await call("POST", "/api/auth/login", { username: "racer", password: winner }, null);
  expect(login.statusCode).toBe(200);
});

test("using a link ends the person's sessions elsewhere, and is on record without the link", async () => {
  const other = await porchlight.signedIn("tenant");
  const token = await mailedToken(other.userId);
  expect((await use(token)).statusCode).toBe(200);
  expect((await call("GET", "/api/auth/me", undefined, other)).statusCode).toBe(401);
  const audit = await porchlight.db
    .selectFrom("audit")
    .select(["action", "actor_id", "detail"])
    .where("subject_id", "=", other.userId)
    .where("subject_type", "=", "user")
    .orderBy("id")
    .execute();
  expect(audit).toEqual([
    {
      action: "user.send-credentials",
      actor_id: admin.userId,
      detail: { channels: ["email"], notificationId: expect.any(Number) },
    },
    { action: "user.set-password", actor_id: other.userId, detail: { by: "link" } },
    { action: "session.start", actor_id: other.userId, detail: {} },
  ]);
});

test("a guesser has to wait; a valid link still opens, because neighbors share an address", async () => {
  await porchlight.db.deleteFrom("sign_in_throttle").execute();
  const token = await mailedToken(await insert());
  for (let n = 0; n < 12; n++) expect((await open(token)).statusCode).toBe(200);
  const guess = async (n: number) => (await open(`${n}`.repeat(27))).statusCode;
  expect(await guess(1)).toBe(404);
  // With so many behind it, the next wrong one earns a wait that outlasts the test.
  await porchlight.db.updateTable("sign_in_throttle").set({ failures: 60 }).execute();
  expect(await guess(2)).toBe(404);
  expect(await guess(3)).toBe(429);
  expect((await open(token)).statusCode).toBe(200);
  await porchlight.db.deleteFrom("sign_in_throttle").execute();
});

test("a link that was sent again is a new one, and both open: the first may have arrived", async () => {
  const id = await insert();
  let tries = 0;
  email.behavior = () => {
    tries += 1;
    return tries === 1
      ? { kind: "uncertain", code: "no_answer", detail: "The answer never came" }
      : { kind: "accepted" };
  };
  const first = await mailedToken(id);
  const { notificationId } = (await call("GET", `/api/users/${id}/deliveries`)).json<
    { notificationId: number }[]
  >()[0]!;
  await until(async () => {
    const again = await call("POST", `/api/notifications/${notificationId}/send-again`, {
      unconfirmed: true,
    });
    expect(again.json()).toMatchObject({ requeued: 1 });
  });
  await until(() => expect(email.received).toHaveLength(2));
  const { content, values, links } = await newestMessage(email);
  const second = passwordTokenIn(renderEmail(content.compiled, values, links).text);
  expect(second).not.toBe(first);
  expect((await open(first)).statusCode).toBe(200);
  expect((await open(second)).statusCode).toBe(200);
});
