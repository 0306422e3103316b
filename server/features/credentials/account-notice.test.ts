import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { listen } from "#server/db/listen.ts";
import { WORK_CHANNEL } from "#server/db/notify-channels.ts";
import { readWorkHint } from "#server/delivery/hints.ts";
import { renderEmail, renderSms } from "#server/delivery/content/render.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import type { Caller, NewPerson } from "#server/testing/app.ts";
import { credentialsScene } from "#server/testing/credentials.ts";
import { until } from "#server/testing/until.ts";
import { newestMessage } from "#server/testing/worker.ts";

/** Who takes over an account from an open session, and who hears of a change: the whole way, through a worker. */

const scene = await credentialsScene();
const { porchlight, email, sms, admin, call, send, use, mailedToken } = scene;
const password = "three ripe figs!";
const passwordHash = await hashPassword(password);

beforeEach(scene.forgetMessages);
afterAll(scene.close);

const signedIn = (role: "admin" | "staff" | "tenant", person: Partial<NewPerson> = {}) =>
  porchlight.signedIn(role, { firstName: "Maria", lastName: "Lopez", passwordHash, ...person });
/** What has come to this address; another test's mail may still be on its way. */
const mailTo = (address: string) =>
  until(() => {
    const mail = email.received.find((one) => one.address === address);
    if (!mail) throw new Error("nothing has arrived");
    return renderEmail(mail.content.compiled, mail.values, mail.links).text;
  });
const statusAndFields = (reply: Awaited<ReturnType<typeof call>>) => [
  reply.statusCode,
  Object.keys(reply.json<{ fields?: object }>().fields ?? {}),
];

describe.each([
  ["the profile", "/api/profile"],
  ["the list of users", "/api/users/"],
])("one's own address on %s", (_, path) => {
  const save = async (person: Caller, change: object) => {
    const url = path.endsWith("/") ? `${path}${person.userId}` : path;
    const before = (await call("GET", url, undefined, person)).json<object>();
    return call("PUT", url, { ...before, ...change }, person);
  };

  test("only changes with the current password, and the old address is notified", async () => {
    // Its own on each path: the other's mail may still be on its way.
    const address = `maria${path.length}@example.com`;
    const maria = await signedIn("staff", { email: address });
    const change = { email: "new@example.com" };
    expect(statusAndFields(await save(maria, change))).toEqual([400, ["currentPassword"]]);
    const guessed = await save(maria, { ...change, currentPassword: "three ripe pigs!" });
    expect(statusAndFields(guessed)).toEqual([400, ["currentPassword"]]);
    expect(email.received.filter((one) => one.address === address)).toEqual([]);
    expect((await save(maria, { ...change, currentPassword: password })).json()).toMatchObject(change);
    const text = await mailTo(address);
    expect(text).toMatch(
      /Hello Maria,\s+The email address of your Porchlight account was changed on .*\.\s+If this was you, you can ignore this message/,
    );
    expect(text).not.toContain("new@example.com");
  });

  test("so does the person's own number; a name does not", async () => {
    const maria = await signedIn("staff", { email: null, phone: "+14155550123" });
    expect((await save(maria, { firstName: "Mary" })).statusCode).toBe(200);
    const change = { phone: "+14155550199" };
    expect(statusAndFields(await save(maria, change))).toEqual([400, ["currentPassword"]]);
    expect((await save(maria, { ...change, currentPassword: password })).statusCode).toBe(200);
    const { content, values, links, address } = await newestMessage(sms);
    expect(address).toBe("+14155550123");
    expect(renderSms(content.compiled, values, links).text).toContain("The phone number of your");
  });

  test("a neighbor's guesses from the same address do not stop the person", async () => {
    const username = `maria.own${path.length}`;
    const maria = await signedIn("staff", { username, email: "maria@example.com" });
    for (let n = 0; n < 7; n++) {
      const guess = { username, password: "three ripe pigs!" };
      expect([401, 429]).toContain((await call("POST", "/api/auth/login", guess, null)).statusCode);
    }
    // However long that took: the wait has not passed.
    await porchlight.db
      .updateTable("sign_in_throttle")
      .set({ blocked_until: new Date(Date.now() + 60_000) })
      .execute();
    const change = { email: "new@example.com", currentPassword: password };
    expect((await save(maria, change)).statusCode).toBe(200);
    await porchlight.db.deleteFrom("sign_in_throttle").execute();
  });
});

test("a change by staff to someone who can sign in is reported to that person's old address", async () => {
  const tenant = await signedIn("tenant", { email: "old@example.com" });
  const url = `/api/users/${tenant.userId}`;
  const before = (await call("GET", url)).json<object>();
  expect((await call("PUT", url, { ...before, email: "other@example.com" })).statusCode).toBe(200);
  expect(await mailTo("old@example.com")).toContain("by Ann Zeller.");
});

test("workers hear of a notice's message, which is queued without them", async () => {
  const hints: string[] = [];
  const connected = Promise.withResolvers<void>();
  const listener = listen(porchlight.url, WORK_CHANNEL, {
    onMessage: (payload) => hints.push(readWorkHint(payload).what),
    onConnected: () => connected.resolve(),
  });
  await connected.promise;
  const tenant = await signedIn("tenant", { email: "heard@example.com" });
  const url = `/api/users/${tenant.userId}`;
  const before = (await call("GET", url)).json<object>();
  expect((await call("PUT", url, { ...before, email: "unheard@example.com" })).statusCode).toBe(200);
  await until(() => expect(hints).toContain("queue"));
  await listener.stop();
});

describe("another person's password", () => {
  const setTo = async (person: Caller, as: Caller) => {
    const url = `/api/users/${person.userId}`;
    const before = (await call("GET", url)).json<object>();
    return call("PUT", url, { ...before, password: "four ripe figs!" }, as);
  };

  test("is only set by an administrator, and the person is notified", async () => {
    const [colleague, staff] = [
      await signedIn("staff", { email: "col@example.com" }),
      await signedIn("staff"),
    ];
    expect(statusAndFields(await setTo(colleague, staff))).toEqual([403, ["password"]]);
    const made = { username: "made", email: "made@example.com", firstName: "M", lastName: "Ade", password };
    expect(statusAndFields(await call("POST", "/api/users", made, staff))).toEqual([403, ["password"]]);
    const notified = email.received.map(({ address }) => address);
    expect(notified).not.toContain("col@example.com");
    expect(notified).not.toContain("made@example.com");
    expect((await setTo(colleague, admin)).statusCode).toBe(200);
    expect(await mailTo("col@example.com")).toMatch(
      /The password of your Porchlight account was changed on .* by Ann Zeller\./,
    );
    expect((await call("POST", "/api/users", made)).statusCode).toBe(201);
    expect(await mailTo("made@example.com")).toMatch(
      /A Porchlight account was created for you on .* by Ann Zeller\./,
    );
  });

  test("staff may send a link for", async () => {
    const [colleague, staff] = [await signedIn("staff"), await signedIn("staff")];
    const body = { userId: colleague.userId, channels: ["email"] };
    expect((await call("POST", "/api/notifications/send-credentials", body, staff)).statusCode).toBe(200);
  });
});

test("no one sends a link to themselves from inside", async () => {
  const reply = await send(admin.userId, ["email"]);
  expect([reply.statusCode, reply.json()]).toMatchObject([403, { code: "forbidden" }]);
  const url = `/api/users/${admin.userId}`;
  const before = (await call("GET", url)).json<object>();
  const saved = await call("PUT", url, { ...before, sendCredentials: true });
  expect(saved.json()).toMatchObject({ credentials: { sent: false } });
  const sent = await porchlight.db
    .selectFrom("notifications")
    .select("audience")
    .where("kind", "=", "credentials")
    .execute();
  expect(JSON.stringify(sent)).not.toContain(`"id":${admin.userId},`);
});

test("the person's own new password is reported, and the session continues with a new token", async () => {
  const maria = await signedIn("tenant", { email: "maria.p@example.com" });
  const body = { currentPassword: password, password: "four ripe figs!", confirmPassword: "four ripe figs!" };
  const reply = await call("POST", "/api/profile/password", body, maria);
  expect(await mailTo("maria.p@example.com")).toContain(
    "The password of your Porchlight account was changed",
  );
  const renewed = { ...maria, cookie: String(reply.headers["set-cookie"]).split(";")[0] ?? "" };
  expect(renewed.cookie).not.toBe(maria.cookie);
  expect((await call("GET", "/api/auth/me", undefined, maria)).statusCode).toBe(401);
  expect((await call("GET", "/api/auth/me", undefined, renewed)).statusCode).toBe(200);
});

describe("a new password ends the calendar link", () => {
  const mine = (own: Caller) =>
    call(
      "POST",
      "/api/profile/password",
      { currentPassword: password, password: "four ripe figs!", confirmPassword: "four ripe figs!" },
      own,
    );
  const byAdministrator = async ({ userId }: Caller) => {
    const url = `/api/users/${userId}`;
    const before = (await call("GET", url)).json<object>();
    return call("PUT", url, { ...before, password: "four ripe figs!" });
  };
  const byLink = async ({ userId }: Caller) => use(await mailedToken(userId), "four ripe figs!");

  test.each([
    ["of the person's own", "own", mine],
    ["from an administrator", "set", byAdministrator],
    ["through a one-time link", "link", byLink],
  ])("%s, and the notice says so", async (_, name, change) => {
    const address = `maria.${name}@example.com`;
    const maria = await signedIn("staff", { email: address });
    const { url } = (await call("POST", "/api/schedules/calendar-link", {}, maria)).json<{ url: string }>();
    const open = () => call("GET", new URL(url).pathname, undefined, null);
    expect((await open()).statusCode).toBe(200);
    expect((await change(maria)).statusCode).toBe(200);
    expect((await open()).statusCode).toBe(404);
    await until(() => {
      const texts = email.received
        .filter((one) => one.address === address)
        .map((one) => renderEmail(one.content.compiled, one.values, one.links).text);
      expect(texts).toContainEqual(
        expect.stringMatching(/password of your .* was changed .*\s+Your calendar link was revoked/),
      );
    });
  });

  test("and the answer says so", async () => {
    const maria = await signedIn("staff");
    await call("POST", "/api/schedules/calendar-link", {}, maria);
    expect((await mine(maria)).json()).toEqual({
      message: "Your password was changed. Every other session has ended, and your calendar link is revoked.",
    });
  });
});

test("the owner is told once when someone guesses their password from many addresses", async () => {
  await signedIn("tenant", { username: "guessed", email: "guessed@example.com" });
  const login = (n: number) =>
    porchlight.app.inject({
      method: "POST",
      url: "/api/auth/login",
      remoteAddress: `198.51.100.${n}`,
      payload: { username: "guessed", password: `a wrong guess ${n}` },
    });
  const codes: number[] = [];
  for (let n = 1; n <= 40; n++) codes.push((await login(n)).statusCode);
  expect([codes.filter((code) => code === 401).length, codes.at(-1)]).toEqual([30, 429]);
  expect(await mailTo("guessed@example.com")).toContain("Someone entered many wrong passwords");
  expect(email.received.filter(({ address }) => address === "guessed@example.com")).toHaveLength(1);
});

describe("staff and a colleague who can sign in", () => {
  test.each([
    ["another address", { email: "mine@example.com" }],
    ["another number", { phone: "+14155550177" }],
    ["a lower role", { role: "tenant" }],
  ])("can't give them %s, by form or file, but an administrator can", async (_, change) => {
    const staff = await signedIn("staff", { username: `s${Object.values(change).join("")}` });
    const colleague = await signedIn("staff", { username: `c${Object.values(change).join("")}` });
    const url = `/api/users/${colleague.userId}`;
    const before = (await call("GET", url)).json<{ username: string; email: string }>();
    const save = (as?: Caller) => call("PUT", url, { ...before, ...change }, as);
    expect((await save(staff)).json()).toMatchObject({ code: "forbidden" });
    const { username, email: address } = before;
    const cells = {
      username,
      email: address,
      firstName: "Maria",
      lastName: "Lopez",
      role: "staff",
      ...change,
    };
    const imported = await call("POST", "/api/csv/import", [cells], staff);
    expect(imported.json()).toMatchObject({ updated: 0, rejected: 1 });
    expect((await save()).statusCode).toBe(200);
  });

  test("may still be corrected before they ever signed in", async () => {
    const staff = await signedIn("staff");
    const invited = await scene.insert({ role: "staff", username: "invited" });
    const before = (await call("GET", `/api/users/${invited}`)).json<object>();
    const saved = await call(
      "PUT",
      `/api/users/${invited}`,
      { ...before, email: "typo.fixed@example.com" },
      staff,
    );
    expect(saved.statusCode).toBe(200);
  });
});
