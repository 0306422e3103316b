import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { UserDetail } from "#contract/calls/users.ts";
import { renderEmail, renderSms } from "#server/delivery/content/render.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { writeSettings } from "#server/features/settings/queries.ts";
import type { Caller } from "#server/testing/app.ts";
import { credentialsScene } from "#server/testing/credentials.ts";
import { importCsv, personOf, row } from "#server/testing/csv.ts";
import { until } from "#server/testing/until.ts";
import { confirmationTokenIn } from "#server/testing/worker.ts";

/** Who registers openly proves that the address is theirs; until then they are a stranger. */

const scene = await credentialsScene();
const { porchlight, email, sms, admin, call, insert } = scene;

beforeAll(async () => {
  await writeSettings(porchlight.db, { registration: "open" }, admin.userId);
  // An account, so that who registers is not the first one.
  await porchlight.db
    .updateTable("users")
    .set({ password_hash: "x" })
    .where("id", "=", admin.userId)
    .execute();
});
beforeEach(async () => {
  scene.forgetMessages();
  await porchlight.db.deleteFrom("sign_in_throttle").execute();
});
afterAll(scene.close);

const PASSWORD = "brass lantern & 4 moths";
let registered = 0;

/** Somebody registers with this address and signs in; `reply` is what registering answered. */
async function newcomer(address: string, username = `nia.${++registered}`, firstName = "Nia") {
  const reply = await call(
    "POST",
    "/api/auth/register",
    { firstName, lastName: "Falk", username, email: address, password: PASSWORD },
    null,
  );
  const signedIn = await call("POST", "/api/auth/login", { username, password: PASSWORD }, null);
  const cookie = String([signedIn.headers["set-cookie"]].flat()[0]).split(";")[0] ?? "";
  const { id } = signedIn.json<{ id: number }>();
  return { reply: reply.json(), username, as: { cookie, userId: id } satisfies Caller };
}

const mailsTo = (address: string) =>
  email.received
    .filter((message) => message.address === address)
    .map(({ content, values, links }) => renderEmail(content.compiled, values, links));
const mailedTo = (address: string) =>
  until(() => {
    const mail = mailsTo(address).at(-1);
    if (!mail) throw new Error("nothing has arrived");
    return mail;
  });
const tokenTo = async (address: string) => confirmationTokenIn((await mailedTo(address)).text);
const path = (token: string) => `/api/auth/confirmation/${token}`;
const waitingOf = async (as: Caller) =>
  (await call("GET", "/api/shell", undefined, as)).json().unconfirmedEmail;
const changeEmail = async (as: Caller, to: string) => {
  const form = { firstName: "Nia", lastName: "Falk", email: to, currentPassword: PASSWORD };
  return call("PUT", "/api/profile", form, as);
};
const detailOf = async (id: number) => (await call("GET", `/api/users/${id}`)).json<UserDetail>();

async function groupsWith(id: number): Promise<string[]> {
  const groups = (await call("GET", "/api/usergroups?pageSize=100")).json<{ id: number; name: string }[]>();
  const inside = await Promise.all(
    groups.map(async (group) => {
      const members = await call("GET", `/api/users?groupId=${group.id}&pageSize=100`);
      return members.json<{ id: number }[]>().some((member) => member.id === id) ? [group.name] : [];
    }),
  );
  return inside.flat();
}

test("who registers is in no group until the address is confirmed by its link, which works once", async () => {
  const everyone = async () =>
    (await call("GET", "/api/usergroups?q=Everyone"))
      .json<{ name: string; userCount: number }[]>()
      .find(({ name }) => name === "Everyone")?.userCount ?? 0;
  const before = await everyone();
  const { as } = await newcomer("nia@example.com");
  expect(await waitingOf(as)).toBe("nia@example.com");
  expect(await detailOf(as.userId)).toMatchObject({ addressConfirmed: false, groups: [] });
  expect([await groupsWith(as.userId), await everyone()]).toEqual([[], before]);

  const token = await tokenTo("nia@example.com");
  expect((await call("GET", path(token), undefined, null)).json()).toMatchObject({
    field: "email",
    address: "nia@example.com",
  });
  expect((await call("GET", `/api/auth/password-link/${token}`, undefined, null)).statusCode).toBe(404);
  expect(await waitingOf(as)).toBe("nia@example.com");
  expect((await call("POST", path(token), undefined, null)).json()).toEqual({
    message: "Your email address is confirmed.",
  });
  expect(await waitingOf(as)).toBe(null);
  expect([await groupsWith(as.userId), await everyone()]).toEqual([["All Tenants", "Everyone"], before + 1]);
  const spent = { code: "not-found", message: "This link is no longer valid. Sign in to get a new one." };
  expect((await call("POST", path(token), undefined, null)).json()).toEqual(spent);
  expect((await call("GET", path(token), undefined, null)).json()).toEqual(spent);
});

test("the mail holds nothing that a stranger typed but the address it goes to", async () => {
  await newcomer("victim@example.com", "win.a.prize.example", "Win at prize.example");
  const { subject, text, html } = await mailedTo("victim@example.com");
  expect(subject).toBe("Confirm your email address");
  expect(email.received.map(({ name }) => name)).toEqual([""]);
  expect(text + html).not.toMatch(/prize/i);
});

test("an address that is on file registers and signs in like any other, and shows nothing of whose it is", async () => {
  const id = await insert({ email: "maria@example.com", firstName: "Maria" });
  const before = await detailOf(id);
  const { reply, as } = await newcomer("Maria@example.com");
  const fresh = await newcomer("unheard.of@example.com");
  expect(reply).toEqual(fresh.reply);
  await until(() => expect(mailsTo("maria@example.com")).toHaveLength(1));
  const seen = async (who: Caller) => {
    const own = await Promise.all(
      ["/api/profile", "/api/shell", "/api/profile/notices"].map((url) => call("GET", url, undefined, who)),
    );
    return JSON.stringify(own.map((answer) => answer.json()))
      .replaceAll(/maria@|unheard\.of@/gi, "")
      .replaceAll(/nia\.\d+|"id":\d+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "");
  };
  await until(async () => expect(await seen(as)).toBe(await seen(fresh.as)));
  expect(await detailOf(id)).toEqual(before);
});

test("a new address needs its own link, the first link stops working, and no stranger is mailed", async () => {
  const { as } = await newcomer("first@example.com");
  const first = await tokenTo("first@example.com");
  expect((await changeEmail(as, "second@example.com")).statusCode).toBe(200);
  expect((await call("POST", path(first), undefined, null)).statusCode).toBe(404);
  const second = await tokenTo("second@example.com");
  expect(mailsTo("first@example.com")).toHaveLength(1);
  expect((await call("POST", path(second), undefined, null)).statusCode).toBe(200);
  expect((await call("POST", "/api/auth/confirmation", undefined, as)).json().message).toBe(
    "There is nothing to confirm. Your email address is confirmed already.",
  );
});

test("who confirmed one address is a stranger at the next, and gets nothing that is meant for its owner", async () => {
  const { as } = await newcomer("own@example.com");
  await call("POST", path(await tokenTo("own@example.com")), undefined, null);
  expect(await waitingOf(as)).toBe(null);
  expect((await changeEmail(as, "tess@example.com")).statusCode).toBe(200);
  expect([await waitingOf(as), await groupsWith(as.userId)]).toEqual(["tess@example.com", []]);
  const tess = { username: "", email: "tess@example.com", firstName: "Nia", lastName: "Falk" };
  expect((await importCsv(porchlight, admin, [row(tess)])).result).toMatchObject({ created: 1, updated: 0 });
  expect((await call("POST", path(await tokenTo("tess@example.com")), undefined, null)).statusCode).toBe(200);
  expect(await waitingOf(as)).toBe(null);
});

test("one account has five strangers an hour mailed at most", async () => {
  const { as } = await newcomer("stranger.0@example.com");
  for (let n = 1; n <= 6; n++) await changeEmail(as, `stranger.${n}@example.com`);
  expect((await call("POST", "/api/auth/confirmation", undefined, as)).statusCode).toBe(429);
  const { rows } =
    await sql`SELECT FROM notifications WHERE kind = 'confirmation' AND created_by = ${as.userId}`.execute(
      porchlight.db,
    );
  expect(rows).toHaveLength(5);
});

test("a new password leaves the link that confirms the address", async () => {
  const { as } = await newcomer("fresh@example.com");
  const token = await tokenTo("fresh@example.com");
  const next = "copper kettle & 7 wrens";
  const form = { currentPassword: PASSWORD, password: next, confirmPassword: next };
  expect((await call("POST", "/api/profile/password", form, as)).statusCode).toBe(200);
  expect((await call("POST", path(token), undefined, null)).statusCode).toBe(200);
});

test("an address is mailed three times an hour at most, by all who ask together", async () => {
  const { as } = await newcomer("often@example.com");
  expect((await call("POST", "/api/auth/confirmation", undefined, as)).json()).toEqual({
    message: "We can't email you a link. Ask your property manager to confirm your address.",
  });
  await newcomer("often@example.com");
  const last = await newcomer("often@example.com");
  const again = await call("POST", "/api/auth/confirmation", undefined, last.as);
  expect([again.statusCode, again.json().message]).toEqual([
    429,
    "We've sent several links already. Try again in an hour.",
  ]);
  await until(() => expect(mailsTo("often@example.com")).toHaveLength(3));
});

test.each([
  [
    "vouching for",
    async ({ userId }: Caller, username: string) => {
      const body = { username, email: "s@example.com", firstName: "Nia", lastName: "Falk", role: "tenant" };
      return call("PUT", `/api/users/${userId}`, { ...body, vouchFor: ["email"] });
    },
  ],
  ["inviting", async ({ userId }: Caller) => scene.send(userId, ["email"])],
])("staff confirm an address by %s the person", async (_by, confirm) => {
  const { as, username } = await newcomer("s@example.com");
  expect((await confirm(as, username)).statusCode).toBe(200);
  expect(await waitingOf(as)).toBe(null);
  expect(await groupsWith(as.userId)).toEqual(["All Tenants", "Everyone"]);
  const { rows } = await sql<{ detail: string }>`
    SELECT action || detail AS detail FROM audit WHERE subject_id = ${as.userId} AND actor_id = ${admin.userId}`.execute(
    porchlight.db,
  );
  expect(rows.map(({ detail }) => detail).join()).toMatch(/addressConfirmed|confirm-address/);
  // They stay in the groups when they change it, but the new address is only what they entered.
  expect((await changeEmail(as, "later@example.com")).statusCode).toBe(200);
  expect(await waitingOf(as)).toBe("later@example.com");
  expect(await groupsWith(as.userId)).toEqual(["All Tenants", "Everyone"]);
});

/** Someone whom staff entered, with a password. */
async function resident(role: "tenant" | "admin" = "tenant") {
  const passwordHash = await hashPassword(PASSWORD);
  const as = await porchlight.signedIn(role, { firstName: "Ines", phone: "+14155550142", passwordHash });
  return as;
}
const reachOf = async ({ userId }: Caller) => {
  const body = { recipients: [{ type: "user", id: userId }], channels: ["email", "sms"] };
  const { byChannel } = (await call("POST", "/api/audience/reach", body)).json();
  return [byChannel.email.willGet, byChannel.sms.willGet];
};

test.each(["tenant", "admin"] as const)(
  "nothing but the confirmation goes to what a %s enters",
  async (role) => {
    const as = await resident(role);
    const to = `${role}.stranger@example.com`;
    expect(await reachOf(as)).toEqual([1, 1]);
    expect((await changeEmail(as, to)).statusCode).toBe(200);
    expect(await reachOf(as)).toEqual([0, 1]);
    expect((await call("GET", `/api/users/${as.userId}`)).json()).toMatchObject({
      addressConfirmed: false,
      stranger: false,
    });
    expect((await call("POST", path(await tokenTo(to)), undefined, null)).statusCode).toBe(200);
    expect([await reachOf(as), await waitingOf(as)]).toEqual([[1, 1], null]);
    expect(mailsTo(to)).toHaveLength(1);
  },
);

test("nor to what an administrator enters for themselves in the list of people", async () => {
  const as = await resident("admin");
  const { username, firstName, lastName } = (await call("GET", "/api/profile", undefined, as)).json();
  const own = { username, firstName, lastName, role: "admin", currentPassword: PASSWORD };
  const save = (email: string) => call("PUT", `/api/users/${as.userId}`, { ...own, email }, as);
  expect((await save("own.stranger@example.com")).statusCode).toBe(200);
  expect([await waitingOf(as), await reachOf(as)]).toEqual(["own.stranger@example.com", [0, 1]]);
});

test("an address that staff or an import enter is used at once", async () => {
  const as = await resident();
  await changeEmail(as, "hers@example.com");
  const { username, firstName, lastName } = (await call("GET", "/api/profile", undefined, as)).json();
  const known = { username, firstName, lastName };
  const imported = await importCsv(porchlight, admin, [row({ ...known, email: "ines@example.com" })]);
  expect([imported.result.updated, await reachOf(as)]).toEqual([1, [1, 1]]);
  await changeEmail(as, "hers.too@example.com");
  const saved = { ...known, email: "hers.too@example.com", role: "tenant" };
  // Saving something else says nothing about the address.
  expect((await call("PUT", `/api/users/${as.userId}`, { ...saved, firstName: "Inès" })).statusCode).toBe(
    200,
  );
  expect(await reachOf(as)).toEqual([0, 1]);
  expect((await call("PUT", `/api/users/${as.userId}`, { ...saved, vouchFor: ["email"] })).statusCode).toBe(
    200,
  );
  expect(await reachOf(as)).toEqual([1, 1]);
  await changeEmail(as, "hers.three@example.com");
  const entered = { ...saved, email: "hers.four@example.com" };
  expect((await call("PUT", `/api/users/${as.userId}`, entered)).statusCode).toBe(200);
  expect(await reachOf(as)).toEqual([1, 1]);
  const own = { ...saved, role: "admin", vouchFor: ["email"] };
  expect((await call("PUT", `/api/users/${admin.userId}`, own)).statusCode).toBe(403);
});

describe("a phone number that someone enters for themselves", () => {
  const changePhone = (as: Caller, phone: string) =>
    call(
      "PUT",
      "/api/profile",
      { firstName: "Ines", lastName: "Falk", email: "", phone, currentPassword: PASSWORD },
      as,
    );
  const noEmail = async () => {
    const passwordHash = await hashPassword(PASSWORD);
    return porchlight.signedIn("tenant", {
      firstName: "Ines",
      email: null,
      phone: "+14155550142",
      passwordHash,
    });
  };
  const numberOf = async (as: Caller) =>
    (await call("GET", "/api/shell", undefined, as)).json().unconfirmedPhone;
  const textedTo = (to: string) =>
    sms.received
      .filter(({ address }) => address === to)
      .map(({ content, values, links }) => renderSms(content.compiled, values, links).text);
  const connected = (isConnected: boolean) =>
    sql`UPDATE accounts SET simulated = ${!isConnected} WHERE channel = 'sms'`.execute(porchlight.db);
  beforeEach(() => connected(true));
  afterEach(() => connected(false));

  test("gets nothing but the link that confirms it, which works once", async () => {
    const as = await noEmail();
    expect((await changePhone(as, "(415) 555-0160")).statusCode).toBe(200);
    const phone = "+14155550160";
    expect([await numberOf(as), await reachOf(as)]).toEqual([{ phone, canText: true }, [0, 0]]);
    expect(await detailOf(as.userId)).toMatchObject({ phoneConfirmed: false });
    const text = await until(() => {
      const [first] = textedTo(phone);
      if (first === undefined) throw new Error("nothing has arrived");
      return first;
    });
    expect(text).not.toMatch(/Ines|Falk/);
    const token = confirmationTokenIn(text);
    expect((await call("GET", path(token), undefined, null)).json()).toMatchObject({
      field: "phone",
      address: phone,
    });
    expect((await call("POST", path(token), undefined, null)).json()).toEqual({
      message: "Your phone number is confirmed.",
    });
    expect([await numberOf(as), await reachOf(as)]).toEqual([null, [0, 1]]);
    expect((await call("POST", path(token), undefined, null)).statusCode).toBe(404);
  });

  test("waits where no account texts, and staff vouch for it", async () => {
    await connected(false);
    const as = await noEmail();
    await changePhone(as, "(415) 555-0161");
    expect(await numberOf(as)).toEqual({ phone: "+14155550161", canText: false });
    const again = await call("POST", "/api/auth/confirmation?field=phone", undefined, as);
    expect(again.json().message).toBe(
      "We can't text you a link. Ask your property manager to confirm your number.",
    );
    const { username } = (await call("GET", "/api/profile", undefined, as)).json();
    const saved = { username, firstName: "Ines", lastName: "Falk", email: "", role: "tenant" };
    expect((await call("PUT", `/api/users/${as.userId}`, saved)).statusCode).toBe(200);
    expect(await reachOf(as)).toEqual([0, 0]);
    const vouched = { ...saved, vouchFor: ["phone"] };
    expect((await call("PUT", `/api/users/${as.userId}`, vouched)).statusCode).toBe(200);
    expect([await numberOf(as), await reachOf(as)]).toEqual([null, [0, 1]]);
    const { rows } =
      await sql`SELECT FROM notifications WHERE kind = 'confirmation' AND created_by = ${as.userId}`.execute(
        porchlight.db,
      );
    expect(rows).toEqual([]);
  });

  test("is texted three times an hour at most, and not for someone who never confirmed an email address", async () => {
    const codes = [];
    for (const as of [await noEmail(), await noEmail(), await noEmail(), await noEmail()]) {
      await changePhone(as, "(415) 555-0162");
      codes.push((await call("POST", "/api/auth/confirmation?field=phone", undefined, as)).statusCode);
    }
    expect(codes).toEqual([200, 429, 429, 429]);
    const { as } = await newcomer("text.me@example.com");
    const form = {
      firstName: "Nia",
      lastName: "Falk",
      email: "text.me@example.com",
      currentPassword: PASSWORD,
    };
    expect((await call("PUT", "/api/profile", { ...form, phone: "(415) 555-0163" }, as)).statusCode).toBe(
      200,
    );
    expect(await numberOf(as)).toEqual({ phone: "+14155550163", canText: false });
    await until(() => expect(textedTo("+14155550162")).toHaveLength(3));
    expect(textedTo("+14155550163")).toEqual([]);
  });

  test("is vouched for by credentials sent there, but not by those sent by email", async () => {
    const as = await resident();
    const form = {
      firstName: "Ines",
      lastName: "Falk",
      email: "creds@example.com",
      currentPassword: PASSWORD,
    };
    await call("PUT", "/api/profile", { ...form, phone: "(415) 555-0164" }, as);
    expect(await reachOf(as)).toEqual([0, 0]);
    expect((await scene.send(as.userId, ["sms"])).statusCode).toBe(200);
    expect(await detailOf(as.userId)).toMatchObject({ addressConfirmed: false, phoneConfirmed: true });
    expect((await scene.send(as.userId, ["email"])).statusCode).toBe(200);
    expect(await detailOf(as.userId)).toMatchObject({ addressConfirmed: true, phoneConfirmed: true });
  });

  test("is used at once if an import has another one", async () => {
    const as = await noEmail();
    await changePhone(as, "(415) 555-0165");
    const { username } = (await call("GET", "/api/profile", undefined, as)).json();
    const known = { username, firstName: "Ines", lastName: "Falk", email: "" };
    await importCsv(porchlight, admin, [row({ ...known, phone: "(415) 555-0165" })]);
    expect(await reachOf(as)).toEqual([0, 0]);
    await importCsv(porchlight, admin, [row({ ...known, phone: "(415) 555-0166" })]);
    expect(await reachOf(as)).toEqual([0, 1]);
  });
});

test("changing one's address or number back and forth ends after ten times", async () => {
  const as = await resident();
  const codes = [];
  for (let n = 0; n < 12; n++) codes.push((await changeEmail(as, `flip.${n % 3}@example.com`)).statusCode);
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  expect(mailsTo("flip.0@example.com").length).toBeLessThan(4);
});

test("no import takes a stranger for a tenant, by address or by username", async () => {
  const { as } = await newcomer("rosa@example.com", "rosa.diaz", "Rosa");
  const rosa = { email: "rosa@example.com", firstName: "Rosa", lastName: "Falk", phone: "(415) 555-0188" };
  const { result } = await importCsv(porchlight, admin, [row({ ...rosa, username: "" })]);
  expect(result).toMatchObject({ created: 1, updated: 0, rejected: 0 });
  const named = await importCsv(porchlight, admin, [row({ ...rosa, username: "Rosa.Diaz" })]);
  expect(named.result).toMatchObject({ created: 0, updated: 0, rejected: 1 });
  expect(named.result.badCells[0]).toMatchObject({ column: "username", kind: "not-allowed" });
  expect(await personOf(porchlight, "rosa.diaz")).toMatchObject({ id: as.userId, phone: null, unit: null });
});

test("a stranger makes no recipient's name ambiguous", async () => {
  const id = await insert({ firstName: "Alma", lastName: "Falk" });
  await newcomer("other.alma@example.com", undefined, "Alma");
  const reply = await call("POST", "/api/notifications", {
    title: "Water off",
    recipients: "Alma Falk",
    content: "x",
    status: "Draft",
  });
  expect(reply.json()).toMatchObject({ audience: [{ type: "user", id }] });
});
