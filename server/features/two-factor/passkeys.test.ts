import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { passkeySite } from "#server/features/auth/passkey-site.ts";
import { PasskeyDevice } from "#server/testing/passkey-device.ts";
import { cookiesIn, type Person, type TwoFactorApp, twoFactorApp } from "#server/testing/two-factor.ts";

let app: TwoFactorApp;
beforeAll(async () => {
  app = await twoFactorApp();
});
afterAll(() => app.close());

const OWN = "/api/profile/two-factor/passkeys";
type Options = { challenge: string };

const creationOptions = async ({ cookie }: Person) =>
  (await app.call("POST", `${OWN}/options`, undefined, cookie)).json<Options>();

async function addPasskey(person: Person, name = "Work laptop") {
  const device = new PasskeyDevice();
  const response = device.create(await creationOptions(person));
  const reply = await app.call("POST", OWN, { name, response }, person.cookie);
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return { device, ...reply.json<{ recoveryCodes: string[] | null }>() };
}

/** What to sign, and the cookie of the sign-in that it belongs to. */
async function begin(body: object, cookie = "") {
  const reply = await app.call("POST", "/api/auth/passkey/options", body, cookie);
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return {
    options: reply.json<Options & { allowCredentials?: { id: string }[] }>(),
    cookie: cookiesIn(reply) || cookie,
  };
}
const finish = (response: object, cookie: string) =>
  app.call("POST", "/api/auth/passkey", { response }, cookie);
const listed = async ({ cookie }: Person) =>
  (await app.call("GET", "/api/profile/two-factor", undefined, cookie)).json<{
    passkeys: { id: number; name: string; lastUsedAt: string | null; madeFor: string | null }[];
  }>().passkeys;

describe("one's own passkeys", () => {
  test("are added with recovery codes, listed, renamed and removed, each on record", async () => {
    const maria = await app.person("tenant");
    expect((await addPasskey(maria)).recoveryCodes).toHaveLength(10);
    expect((await addPasskey(maria, "Phone")).recoveryCodes).toBeNull();
    const [laptop, phone] = await listed(maria);
    expect([laptop?.name, phone?.name, phone?.lastUsedAt]).toEqual(["Work laptop", "Phone", null]);
    await app.call("PUT", `${OWN}/${phone?.id}`, { name: "My phone" }, maria.cookie);
    expect((await app.call("DELETE", `${OWN}/${laptop?.id}`, undefined, maria.cookie)).statusCode).toBe(200);
    expect((await listed(maria)).map(({ name }) => name)).toEqual(["My phone"]);
    const rows = await sql<object>`SELECT action, detail FROM audit
      WHERE subject_id = ${maria.userId} AND action LIKE 'two-factor.%' ORDER BY id`.execute(
      app.porchlight.db,
    );
    expect(rows.rows).toEqual([
      { action: "two-factor.add", detail: { factor: "passkey", name: "Work laptop" } },
      { action: "two-factor.add", detail: { factor: "passkey", name: "Phone" } },
      { action: "two-factor.rename", detail: { changes: { name: ["Phone", "My phone"] } } },
      { action: "two-factor.remove", detail: { factor: "passkey", name: "Work laptop" } },
    ]);
  });

  test("are no one else's to rename or remove", async () => {
    const [maria, luis] = [await app.person("tenant"), await app.person("admin")];
    await addPasskey(maria);
    const [passkey] = await listed(maria);
    const url = `${OWN}/${passkey?.id}`;
    expect((await app.call("PUT", url, { name: "Mine" }, luis.cookie)).statusCode).toBe(404);
    expect((await app.call("DELETE", url, undefined, luis.cookie)).statusCode).toBe(404);
    expect(await listed(maria)).toEqual([passkey]);
  });

  test("the last factor takes the recovery codes with it, and the password is enough again", async () => {
    const maria = await app.person("tenant");
    await addPasskey(maria);
    const [passkey] = await listed(maria);
    await app.call("DELETE", `${OWN}/${passkey?.id}`, undefined, maria.cookie);
    expect((await app.logIn(maria.username)).json()).toMatchObject({ id: maria.userId });
    const left = await sql`SELECT FROM recovery_codes WHERE user_id = ${maria.userId}`.execute(
      app.porchlight.db,
    );
    expect(left.rows).toEqual([]);
  });

  test("a first factor and a removed one end every other session", async () => {
    const maria = await app.person("tenant");
    const elsewhere = cookiesIn(await app.logIn(maria.username));
    const isSignedIn = async (cookie: string) =>
      (await app.call("GET", "/api/auth/me", undefined, cookie)).statusCode === 200;
    const { device } = await addPasskey(maria);
    expect([await isSignedIn(elsewhere), await isSignedIn(maria.cookie)]).toEqual([false, true]);
    const { options, cookie } = await begin({ alone: true });
    const again = cookiesIn(await finish(device.get(options), cookie));
    const [passkey] = await listed(maria);
    await app.call("DELETE", `${OWN}/${passkey?.id}`, undefined, maria.cookie);
    expect([await isSignedIn(again), await isSignedIn(maria.cookie)]).toEqual([false, true]);
  });

  test.each([
    ["for another site", { rpId: "evil.example" }],
    ["on a page of another site", { origin: "http://localhost:3001" }],
    ["without a finger, a face or a PIN", { userVerified: false }],
  ])("made %s are refused", async (_, flaws) => {
    const maria = await app.person("tenant");
    const response = new PasskeyDevice().create(await creationOptions(maria), flaws);
    const reply = await app.call("POST", OWN, { name: "Odd", response }, maria.cookie);
    expect([reply.statusCode, await listed(maria)]).toEqual([400, []]);
  });

  test("a challenge makes one passkey, for the session that asked and for ten minutes", async () => {
    const [maria, luis] = [await app.person("tenant"), await app.person("tenant")];
    const add = (response: object, { cookie }: Person) =>
      app.call("POST", OWN, { name: "Laptop", response }, cookie);
    const options = await creationOptions(maria);
    expect((await add(new PasskeyDevice().create(options), luis)).statusCode).toBe(409);
    expect((await add(new PasskeyDevice().create(options), maria)).statusCode).toBe(200);
    expect((await add(new PasskeyDevice().create(options), maria)).statusCode).toBe(409);
    const late = await creationOptions(maria);
    await sql`UPDATE passkey_challenges SET expires_at = now()`.execute(app.porchlight.db);
    expect((await add(new PasskeyDevice().create(late), maria)).json().message).toBe(
      "That took too long. Try the passkey again.",
    );
  });
});

test("twenty passkeys are the most", async () => {
  const maria = await app.person("tenant");
  await addPasskey(maria);
  const last = new PasskeyDevice().create(await creationOptions(maria));
  await sql`INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name)
    SELECT ${maria.userId}, 'more ' || n, '', 0, '{}', 'More' FROM generate_series(2, 20) AS n`.execute(
    app.porchlight.db,
  );
  const sentence = "You have 20 passkeys, and can't have more. Remove one first.";
  const added = await app.call("POST", OWN, { name: "One more", response: last }, maria.cookie);
  expect(added.json()).toMatchObject({ code: "conflict", message: sentence });
  const asked = await app.call("POST", `${OWN}/options`, undefined, maria.cookie);
  expect(asked.json()).toMatchObject({ code: "conflict", message: sentence });
});

describe("a sign-in with a passkey", () => {
  test("that succeeds does not count against its neighbors", async () => {
    const maria = await app.person("tenant");
    const { device } = await addPasskey(maria);
    const counted = async () =>
      (
        await sql<{ failures: number }>`
          SELECT failures FROM sign_in_throttle WHERE key LIKE 'passkey:%'`.execute(app.porchlight.db)
      ).rows[0]?.failures;
    const { options, cookie } = await begin({ alone: true });
    const before = (await counted()) ?? 0;
    await finish(device.get(options), cookie);
    expect(await counted()).toBe(before - 1);
  });

  test("takes nothing else, and is on record", async () => {
    const maria = await app.person("tenant");
    const { device } = await addPasskey(maria);
    const { options, cookie } = await begin({ alone: true });
    expect(options.allowCredentials ?? []).toEqual([]);
    const done = await finish(device.get(options), cookie);
    expect(done.json()).toMatchObject({ id: maria.userId });
    const me = await app.call("GET", "/api/auth/me", undefined, cookiesIn(done));
    expect(me.json()).toMatchObject({ id: maria.userId });
    expect((await listed(maria))[0]?.lastUsedAt).not.toBeNull();
    const started = await sql`SELECT FROM audit WHERE action = 'session.start' AND actor_id = ${maria.userId}
      AND detail->>'by' = 'passkey'`.execute(app.porchlight.db);
    expect(started.rows).toHaveLength(1);
  });

  test("is a second step after the password, for that person's passkeys alone", async () => {
    const [maria, luis] = [await app.person("tenant"), await app.person("tenant")];
    const [{ device }, other] = [await addPasskey(maria), await addPasskey(luis)];
    const reply = await app.logIn(maria.username);
    expect(reply.json()).toEqual({ secondFactors: ["passkey", "recovery"] });
    const pending = cookiesIn(reply);
    const { options } = await begin({}, pending);
    expect(options.allowCredentials).toHaveLength(1);
    expect((await finish(other.device.get(options), pending)).statusCode).toBe(401);
    const again = await begin({}, pending);
    expect((await finish(device.get(again.options), pending)).json()).toMatchObject({ id: maria.userId });
  });

  test("an answer works once, whatever became of it, and only in the browser that asked", async () => {
    const maria = await app.person("tenant");
    const { device } = await addPasskey(maria);
    const [one, other] = [await begin({ alone: true }), await begin({ alone: true })];
    expect((await finish(device.get(one.options), other.cookie)).statusCode).toBe(401);
    const response = device.get(one.options);
    expect((await finish(response, one.cookie)).statusCode).toBe(200);
    expect((await finish(response, one.cookie)).json()).toMatchObject({ code: "sign-in-expired" });
    const failed = await begin({ alone: true });
    expect(
      (await finish(device.get(failed.options, { userVerified: false }), failed.cookie)).statusCode,
    ).toBe(401);
    expect((await finish(device.get(failed.options), failed.cookie)).statusCode).toBe(409);
  });

  test.each([
    ["for another site", { rpId: "evil.example" }],
    ["on a page of another site", { origin: "https://evil.example" }],
    ["without a finger, a face or a PIN", { userVerified: false }],
    ["by a copy that has counted less", { counter: 1 }],
  ])("signed %s is refused", async (_, flaws) => {
    const maria = await app.person("tenant");
    const { device } = await addPasskey(maria);
    for (let n = 0; n < 2; n++) {
      const used = await begin({ alone: true });
      await finish(device.get(used.options), used.cookie);
    }
    const { options, cookie } = await begin({ alone: true });
    expect((await finish(device.get(options, flaws), cookie)).statusCode).toBe(401);
  });

  test("a passkey that was removed, or whose person was, signs no one in", async () => {
    const [maria, luis] = [await app.person("tenant"), await app.person("tenant")];
    const [hers, his] = [await addPasskey(maria), await addPasskey(luis)];
    const [passkey] = await listed(maria);
    await app.call("DELETE", `${OWN}/${passkey?.id}`, undefined, maria.cookie);
    const admin = await app.person("admin");
    expect((await app.call("DELETE", `/api/users/${luis.userId}`, undefined, admin.cookie)).statusCode).toBe(
      200,
    );
    for (const { device } of [hers, his]) {
      const { options, cookie } = await begin({ alone: true });
      expect((await finish(device.get(options), cookie)).statusCode).toBe(401);
    }
    const left = await sql`SELECT FROM passkeys WHERE user_id = ${luis.userId}`.execute(app.porchlight.db);
    expect(left.rows).toEqual([]);
  });

  test("what is not a passkey's answer is refused in a sentence", async () => {
    const { cookie } = await begin({ alone: true });
    for (const response of [undefined, "x", {}, { id: 7 }]) {
      expect((await app.call("POST", "/api/auth/passkey", { response }, cookie)).statusCode).toBe(400);
    }
    expect((await finish({ id: "unknown" }, cookie)).statusCode).toBe(401);
  });
});

test("after a move to another address, the profile and the sign-in say which passkeys stayed behind", async () => {
  const maria = await app.person("tenant");
  const { recoveryCodes } = await addPasskey(maria);
  const moved = sql`UPDATE passkeys SET rp_id = 'old.porch.example' WHERE user_id = ${maria.userId}`;
  expect(await listed(maria)).toMatchObject([{ name: "Work laptop", madeFor: null }]);
  await moved.execute(app.porchlight.db);
  expect(await listed(maria)).toMatchObject([{ name: "Work laptop", madeFor: "old.porch.example" }]);
  // The password alone still opens nothing.
  const reply = await app.logIn(maria.username);
  expect(reply.json()).toEqual({ secondFactors: ["recovery"], passkeysElsewhere: ["old.porch.example"] });
  const done = await app.secondStep(cookiesIn(reply), recoveryCodes?.[0] ?? "", "recovery");
  expect(done.statusCode).toBe(200);
  // A browser is asked for neither the old one nor told that it has it.
  const { device } = await addPasskey(maria, "Here");
  const again = await app.logIn(maria.username);
  expect(again.json()).toEqual({
    secondFactors: ["passkey", "recovery"],
    passkeysElsewhere: ["old.porch.example"],
  });
  const { options } = await begin({}, cookiesIn(again));
  expect(options.allowCredentials).toHaveLength(1);
  expect((await finish(device.get(options), cookiesIn(again))).statusCode).toBe(200);
});

test.each([
  ["https://porch.example", { rpId: "porch.example", origin: "https://porch.example" }],
  ["https://porch.example:8443", { rpId: "porch.example", origin: "https://porch.example:8443" }],
  ["http://localhost:3000", { rpId: "localhost", origin: "http://localhost:3000" }],
  ["http://127.0.0.1:3000", { rpId: "localhost", origin: "http://localhost:3000" }],
  ["http://porch.example", null],
  ["https://203.0.113.7", null],
  ["https://[2001:db8::1]", null],
])("at %s passkeys are for %o", (url, site) => {
  expect(passkeySite(new URL(url))).toEqual(site);
});

test("over plain http nothing is offered, and the calls say why", async () => {
  const plain = await twoFactorApp({ publicUrl: "http://porch.example" });
  const maria = await plain.person("tenant");
  const [state, own, made] = [
    await plain.call("GET", "/api/auth/state"),
    await plain.call("GET", "/api/profile/two-factor", undefined, maria.cookie),
    await plain.call("POST", `${OWN}/options`, undefined, maria.cookie),
  ];
  await plain.close();
  expect([state.json().passkeyOrigin, own.json().passkeyOrigin]).toEqual([null, null]);
  expect(made.json()).toMatchObject({
    code: "conflict",
    message: "Passkeys require https. This address doesn't use it.",
  });
});
