import { afterAll, beforeEach, beforeAll, describe, expect, test } from "vitest";
import { channels as allChannels } from "#contract/delivery.ts";
import { preferenceField } from "#contract/users.ts";
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

  test("a wrong or former token opens nothing", async () => {
    expect((await open("0".repeat(40))).statusCode).toBe(404);
    await porchlight.db
      .updateTable("users")
      .set({ deleted_at: new Date() })
      .where("id", "=", userId)
      .execute();
    expect((await open()).statusCode).toBe(404);
    expect((await post("List-Unsubscribe=One-Click")).statusCode).toBe(404);
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

  test.each(ways)("opens nothing once %s has corrected it", async (_, correct) => {
    await correct("right@example.com");
    expect((await open()).statusCode).toBe(404);
    expect((await post("List-Unsubscribe=One-Click")).statusCode).toBe(404);
  });

  test.each(ways)("goes on when %s leaves the address the same, in whatever letters", async (_, save) => {
    await save("Wrnog@Example.com");
    expect((await open()).statusCode).toBe(200);
  });
});
