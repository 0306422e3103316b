import { afterAll, beforeEach, beforeAll, describe, expect, test } from "vitest";
import { channels as allChannels } from "#contract/delivery.ts";
import { preferenceField } from "#contract/calls/users.ts";
import { optOut } from "#server/audience/opt-outs.ts";
import { transaction } from "#server/db/database.ts";
import { readPreferences } from "#server/features/consent/queries.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { importCsv, row } from "#server/testing/csv.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let token: string;
let userId: number;

beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await porchlight.db.deleteFrom("suppressions").execute();
  userId = await insertPerson(porchlight.db, { firstName: "<b>Luis</b>" });
  const row = await porchlight.db
    .selectFrom("users")
    .select("preferences_token")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  token = row.preferences_token;
});
afterAll(() => porchlight.close());

const open = (path = token) => porchlight.call({ method: "GET", url: `/u/${path}` });
const post = (payload: string, type = "application/x-www-form-urlencoded") =>
  porchlight.app.inject({
    method: "POST",
    url: `/u/${token}`,
    headers: { "content-type": type, "sec-fetch-site": "cross-site" },
    payload,
  });
const turnedOn = async () => {
  const now = await readPreferences(porchlight.db, userId);
  return allChannels.filter((channel) => now[preferenceField[channel]]);
};
const tokenOf = async (id: number) =>
  (
    await porchlight.db
      .selectFrom("users")
      .select("preferences_token")
      .where("id", "=", id)
      .executeTakeFirstOrThrow()
  ).preferences_token;
const optedOut = async () =>
  (await porchlight.db.selectFrom("suppressions").select("address").orderBy("channel").execute()).map(
    ({ address }) => address,
  );
const records = () =>
  porchlight.db.selectFrom("consents").selectAll().where("user_id", "=", userId).execute();

describe("the link of a mail", () => {
  test("shows by GET, changes nothing, and writes names as text", async () => {
    const page = await open();
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("&lt;b&gt;Luis&lt;/b&gt;");
    expect(page.body).not.toContain("<b>Luis");
    expect(await turnedOn()).toContain("email");
    expect(await records()).toEqual([]);
  });

  test("one click by POST, without cookie and from anywhere, stops email and is on record once", async () => {
    expect((await post("List-Unsubscribe=One-Click")).statusCode).toBe(200);
    await post("List-Unsubscribe=One-Click");
    expect(await turnedOn()).not.toContain("email");
    expect(await records()).toMatchObject([{ channel: "email", allowed: false, source: "one-click" }]);
  });

  test("one click as multipart form data", async () => {
    const body =
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    await post(body, "multipart/form-data; boundary=b");
    expect(await turnedOn()).not.toContain("email");
  });

  test("the page's buttons turn one channel off and on, each on record", async () => {
    const off = await post("channel=sms&allowed=false");
    expect(off.body).toContain("Saved. You don&#39;t get notices by text message.");
    await post("channel=push&allowed=true");
    expect(await turnedOn()).toEqual(["email", "push"]);
    expect(await records()).toMatchObject([
      { channel: "sms", allowed: false, source: "preferences-page" },
      { channel: "push", allowed: true, source: "preferences-page" },
    ]);
  });

  test.each(["", "channel=fax&allowed=false", "allowed=true", "channel=sms", "channel=sms&allowed=maybe"])(
    "a form of %j changes nothing",
    async (body) => {
      expect((await post(body)).statusCode).toBe(200);
      expect(await records()).toEqual([]);
    },
  );

  test("a wrong token opens nothing", async () => {
    expect((await open("0".repeat(40))).statusCode).toBe(404);
  });

  test("of someone deleted still turns their addresses off, and an inbox on again", async () => {
    const [email, phone] = [`gone${userId}@example.com`, "+14155550177"];
    const values = { email, phone, deleted_at: new Date() };
    await porchlight.db.updateTable("users").set(values).where("id", "=", userId).execute();
    token = await tokenOf(userId);
    const page = await open();
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining(`sent to ${email}.`)]);
    expect(page.body).not.toMatch(/Luis|4155550177/);
    await post("List-Unsubscribe=One-Click");
    expect((await post("channel=sms&allowed=false")).body).toContain("Saved. No messages are sent to");
    expect(await optedOut()).toEqual([email, phone]);
    // The number may be someone else's by now.
    expect((await post("channel=sms&allowed=true")).statusCode).toBe(409);
    await post("channel=email&allowed=true");
    expect(await optedOut()).toEqual([phone]);
  });

  test("doesn't lift what was opted out of before the person entered it", async () => {
    const own = await porchlight.signedIn("tenant", { email: `own${userId}@example.com` });
    token = await tokenOf(own.userId);
    const { db } = porchlight;
    const stranger = "+14155550188";
    await transaction(db, (tx) =>
      optOut(tx, { channel: "sms", address: stranger }, { source: "texted-stop" }),
    );
    const passwordHash = await hashPassword("three ripe figs!");
    await db.updateTable("users").set({ password_hash: passwordHash }).where("id", "=", own.userId).execute();
    const profile = { firstName: "Luis", lastName: "Ortega", email: `own${userId}@example.com` };
    const body = { ...profile, phone: stranger, currentPassword: "three ripe figs!" };
    expect((await porchlight.call({ method: "PUT", url: "/api/profile", body }, own)).statusCode).toBe(200);
    const reply = await post("channel=sms&allowed=true");
    expect([reply.statusCode, reply.body]).toEqual([
      409,
      expect.stringContaining("This number asked for no text messages before you entered it."),
    ]);
    expect(await optedOut()).toContain(stranger);
  });
});

describe("the link of a mail to an address that was wrong", () => {
  let admin: Caller;
  beforeAll(async () => {
    admin = await porchlight.signedIn("admin");
  });
  const linkOf = async (username: string) =>
    (
      await porchlight.db
        .selectFrom("users")
        .select("preferences_token")
        .where("username", "=", username)
        .executeTakeFirstOrThrow()
    ).preferences_token;
  const currentPassword = "three ripe figs!";
  const luis = { firstName: "Luis", lastName: "Ortega" };
  let username = "";
  beforeEach(() => {
    username = `luis${userId}`;
  });

  const ways: [string, (email: string) => Promise<void>][] = [
    [
      "the form",
      async (email) => {
        const id = await insertPerson(porchlight.db, { username, email: "wrnog@example.com" });
        token = await linkOf(username);
        const body = { username, ...luis, email, role: "tenant" };
        await porchlight.call({ method: "PUT", url: `/api/users/${id}`, body }, admin);
      },
    ],
    [
      "the profile",
      async (email) => {
        const person = {
          username,
          email: "wrnog@example.com",
          passwordHash: await hashPassword(currentPassword),
        };
        const own = await porchlight.signedIn("tenant", person);
        token = await linkOf(username);
        const body = { ...luis, email, phone: "", currentPassword };
        await porchlight.call({ method: "PUT", url: "/api/profile", body }, own);
      },
    ],
    [
      "an import",
      async (email) => {
        await importCsv(porchlight, admin, [row({ username, email: "wrnog@example.com" })]);
        token = await linkOf(username);
        await importCsv(porchlight, admin, [row({ username, email })]);
      },
    ],
  ];

  test.each(ways)("turns only that address off once %s has corrected it", async (_, correct) => {
    await correct("right@example.com");
    const page = await open();
    expect([page.statusCode, page.body]).toEqual([
      200,
      expect.stringContaining("sent to wrnog@example.com."),
    ]);
    expect(page.body).not.toMatch(/Luis|right@/);
    expect((await post("List-Unsubscribe=One-Click")).statusCode).toBe(200);
    expect(await optedOut()).toEqual(["wrnog@example.com"]);
    expect((await post("channel=push&allowed=true")).statusCode).toBe(200);
    const { id } = await porchlight.db
      .selectFrom("users")
      .select("id")
      .where("username", "=", username)
      .executeTakeFirstOrThrow();
    expect(await readPreferences(porchlight.db, id)).toMatchObject({
      receiveEmail: true,
      receivePush: false,
    });
  });

  test.each(ways)("goes on when %s leaves the address the same, in whatever letters", async (_, save) => {
    await save("Wrnog@Example.com");
    expect((await open()).statusCode).toBe(200);
  });
});
