import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";
import { SecretBox } from "#server/db/secret-box.ts";
import { rotateTotpSecrets, useTotp } from "#server/features/two-factor/totp.ts";
import { tokenHash } from "#server/http/tokens.ts";
import { cookiesIn, password, type TwoFactorApp, twoFactorApp } from "#server/testing/two-factor.ts";
import { until } from "#server/testing/until.ts";

let app: TwoFactorApp;
beforeAll(async () => {
  app = await twoFactorApp();
});
afterAll(() => app.close());

const codeSentence = (reply: { json: () => { fields?: { code?: string } } }) => reply.json().fields?.code;

describe("after the right password", () => {
  test("someone with an app has no session until the code is right", async () => {
    const maria = await app.person("staff");
    const { secret } = await app.turnOnApp(maria);
    const reply = await app.logIn(maria.username);
    expect(reply.json()).toEqual({ secondFactors: ["app", "recovery"] });
    expect(String(reply.headers["set-cookie"])).toMatch(
      /^porchlight-sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const pending = cookiesIn(reply);

    const done = await app.secondStep(pending, app.codeOf(secret));
    expect(done.json()).toMatchObject({ id: maria.userId });
    const me = await app.call("GET", "/api/auth/me", undefined, cookiesIn(done));
    expect(me.json()).toMatchObject({ username: maria.username });
    // It was good for one sign-in.
    app.passSeconds(60);
    expect((await app.secondStep(pending, app.codeOf(secret))).json()).toMatchObject({
      code: "sign-in-expired",
    });
  });

  test("what waits for the second step opens no call at all, under any cookie's name", async () => {
    const maria = await app.person("admin");
    await app.turnOnApp(maria);
    const token = (await app.firstStep(maria.username)).split("=")[1] ?? "";
    const cookie = `porchlight-sign-in=${token}; porchlight=${token}; porchlight-browser=${token}`;
    const open = [];
    for (const { method, path, access, answer } of endpoints) {
      if (access === "public" || answer === "events") continue;
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "key" ? "siteName" : "999999"));
      const { statusCode } = await app.porchlight.call({ method, url, headers: { cookie } });
      if (statusCode !== 401) open.push(`${method} ${path}: ${statusCode}`);
    }
    expect(open).toEqual([]);
    const events = await app.call("GET", "/api/events", undefined, cookie);
    expect(events.statusCode).toBe(401);
  });

  test("the right password alone is on record", async () => {
    const maria = await app.person("tenant");
    await app.turnOnApp(maria);
    await app.firstStep(maria.username);
    const rows = await sql`SELECT FROM audit WHERE action = 'session.password' AND actor_id IS NULL
      AND subject_id = ${maria.userId}`.execute(app.porchlight.db);
    expect(rows.rows).toHaveLength(1);
  });

  test("signing out everywhere else and a new password end what waits for the second step", async () => {
    const maria = await app.person("tenant");
    const { secret } = await app.turnOnApp(maria);
    const signOut = () => app.call("DELETE", "/api/profile/sessions/others", undefined, maria.cookie);
    const next = "seven ripe plums!";
    const change = () =>
      app.call(
        "POST",
        "/api/profile/password",
        { currentPassword: password, password: next, confirmPassword: next },
        maria.cookie,
      );
    for (const end of [signOut, change]) {
      const pending = await app.firstStep(maria.username);
      expect((await end()).statusCode).toBe(200);
      expect((await app.secondStep(pending, app.codeOf(secret))).json()).toMatchObject({
        code: "sign-in-expired",
      });
    }
  });

  test("two tabs that renew the session at once: one is refused, and the person stays signed in", async () => {
    const maria = await app.person("tenant");
    await app.turnOnApp(maria);
    const cookie = cookiesIn(
      await app.call("POST", "/api/profile/two-factor/recovery-codes", {}, maria.cookie),
    );
    const next = "seven ripe plums!";
    const { db } = app.porchlight;
    // Each is let in with the old token before the first of them replaces it.
    const sent = await db.transaction().execute(async (tx) => {
      await sql`SELECT FROM users WHERE id = ${maria.userId} FOR UPDATE`.execute(tx);
      const calls = [
        app.call("POST", "/api/profile/two-factor/recovery-codes", {}, cookie),
        app.call("DELETE", "/api/profile/two-factor/app", undefined, cookie),
        app.call(
          "POST",
          "/api/profile/password",
          { currentPassword: password, password: next, confirmPassword: next },
          cookie,
        ),
      ];
      await until(async () => {
        const { rows } = await sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
        expect(rows).toHaveLength(calls.length);
      });
      return calls;
    });
    const replies = await Promise.all(sent);
    const codes = replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other);
    expect(codes).toEqual([200, 409, 409]);
    const cookies = replies.flatMap((reply) => reply.cookies.map(({ value }) => value));
    expect(cookies).toHaveLength(1);
    const me = await app.porchlight.call({
      method: "GET",
      url: "/api/auth/me",
      headers: { cookie: `porchlight=${cookies[0]}` },
    });
    expect(me.statusCode).toBe(200);
  });

  test("it takes ten minutes at most, and is stored only as a hash", async () => {
    const maria = await app.person("tenant");
    const { secret } = await app.turnOnApp(maria);
    const pending = await app.firstStep(maria.username);
    const stored = await sql<{ hash: Buffer }>`SELECT token_hash AS hash FROM pending_sign_ins`.execute(
      app.porchlight.db,
    );
    expect(stored.rows.some(({ hash }) => pending.includes(hash.toString("base64url")))).toBe(false);
    await sql`UPDATE pending_sign_ins SET expires_at = now() - interval '1 second' WHERE user_id = ${maria.userId}`.execute(
      app.porchlight.db,
    );
    const reply = await app.secondStep(pending, app.codeOf(secret));
    expect([reply.statusCode, reply.json().message]).toEqual([
      401,
      "Your sign-in took too long. Enter your password again.",
    ]);
  });

  test("one person's second step does not take another's code", async () => {
    const [maria, luis] = [await app.person("tenant"), await app.person("tenant")];
    await app.turnOnApp(maria);
    const { secret } = await app.turnOnApp(luis);
    const pending = await app.firstStep(maria.username);
    expect((await app.secondStep(pending, app.codeOf(secret))).statusCode).toBe(401);
  });

  test("a link in an email sets the password and does not sign in past the second factor", async () => {
    const maria = await app.person("tenant", { email: "maria.link@example.com" });
    await app.turnOnApp(maria);
    await sql`INSERT INTO password_links (token_hash, user_id, channel, address, expires_at)
      VALUES (${tokenHash("a-link")}, ${maria.userId}, 'email', 'maria.link@example.com', now() + interval '1 hour')`.execute(
      app.porchlight.db,
    );
    const reply = await app.call("POST", "/api/auth/password-link/a-link", { password: "four ripe figs!" });
    expect(reply.json()).toEqual({
      user: null,
      message: "Your password is set. Sign in with it and your second factor.",
    });
    expect(reply.cookies).toEqual([]);
  });
});

describe("a code from an app", () => {
  test("works once, and none before it works after it", async () => {
    const maria = await app.person("tenant");
    const { secret } = await app.turnOnApp(maria);
    const [earlier, code] = [app.codeOf(secret, -30), app.codeOf(secret)];
    expect((await app.secondStep(await app.firstStep(maria.username), code)).statusCode).toBe(200);
    const pending = await app.firstStep(maria.username);
    for (const again of [code, earlier]) {
      expect(codeSentence(await app.secondStep(pending, again))).toBe(
        "This code was used already. Wait for the next one in your authenticator app.",
      );
    }
    app.passSeconds(30);
    expect((await app.secondStep(pending, app.codeOf(secret))).statusCode).toBe(200);
  });

  test("that turned the app on does not sign in as well", async () => {
    const maria = await app.person("tenant");
    const { secret } = await app.turnOnApp(maria);
    const reply = await app.secondStep(await app.firstStep(maria.username), app.codeOf(secret, -30));
    expect(codeSentence(reply)).toContain("used already");
  });

  test("of two sign-ins with the same code at the same moment one succeeds", async () => {
    const maria = await app.person("tenant");
    const { secret } = await app.turnOnApp(maria);
    const waiting = [await app.firstStep(maria.username), await app.firstStep(maria.username)];
    const replies = await Promise.all(waiting.map((pending) => app.secondStep(pending, app.codeOf(secret))));
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });

  test.each([
    [-30, 200],
    [30, 200],
    [-60, 401],
    [60, 401],
  ])("of a phone whose clock is off by %i seconds answers %i", async (off, status) => {
    const maria = await app.person("tenant");
    const { secret } = await app.turnOnApp(maria);
    // So that an earlier code is not one that was used.
    app.passSeconds(300);
    const pending = await app.firstStep(maria.username);
    expect((await app.secondStep(pending, app.codeOf(secret, off))).statusCode).toBe(status);
  });

  test("may be typed in two halves, and has six digits", async () => {
    const maria = await app.person("tenant");
    const { secret } = await app.turnOnApp(maria);
    const pending = await app.firstStep(maria.username);
    expect(codeSentence(await app.secondStep(pending, "12345"))).toBe(
      "Enter the 6-digit code from your authenticator app",
    );
    const code = app.codeOf(secret);
    expect((await app.secondStep(pending, ` ${code.slice(0, 3)} ${code.slice(3)}`)).statusCode).toBe(200);
  });

  test("can be guessed five times, from wherever; then even the right one has to wait", async () => {
    const maria = await app.person("tenant");
    const { secret } = await app.turnOnApp(maria);
    const wrong = app.codeOf(secret) === "000000" ? "111111" : "000000";
    const guess = async (ip: string, code: string) =>
      app.porchlight.app.inject({
        method: "POST",
        url: "/api/auth/second-step",
        remoteAddress: ip,
        headers: { host: "127.0.0.1:3000", cookie: await app.firstStep(maria.username) },
        payload: { by: "app", code },
      });
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await guess(`203.0.113.${n}`, wrong)).statusCode);
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    const sixth = await guess("198.51.100.7", app.codeOf(secret));
    expect([sixth.statusCode, sixth.json().message]).toEqual([
      429,
      expect.stringMatching(/^Too many attempts. Try again in 1 second/),
    ]);
    // Recovery codes are no way around it.
    const recovery = await app.secondStep(await app.firstStep(maria.username), "ABCDE-FGHJK", "recovery");
    expect(recovery.statusCode).toBe(429);
    const failures = await sql<{ by: string }>`SELECT detail->>'by' AS by FROM audit
      WHERE action = 'session.fail' AND subject_id = ${maria.userId}`.execute(app.porchlight.db);
    expect(failures.rows).toEqual(Array.from({ length: 5 }, () => ({ by: "app" })));
  });

  test("guessed elsewhere does not delay the browser in which the person has signed in before", async () => {
    const maria = await app.person("tenant");
    const { secret } = await app.turnOnApp(maria);
    const signedIn = await app.secondStep(await app.firstStep(maria.username), app.codeOf(secret));
    const browser =
      cookiesIn(signedIn)
        .split("; ")
        .find((cookie) => cookie.startsWith("porchlight-browser")) ?? "";
    for (let n = 0; n < 6; n++) await app.secondStep(await app.firstStep(maria.username), "000000");
    app.passSeconds(30);
    const pending = await app.firstStep(maria.username, browser);
    const known = await app.secondStep(`${pending}; ${browser}`, app.codeOf(secret));
    expect(known.statusCode).toBe(200);
  });
});

test("another app replaces the first: other sessions end, it is on record, and one not turned on is none", async () => {
  const maria = await app.person("tenant");
  const remove = () => app.call("DELETE", "/api/profile/two-factor/app", undefined, maria.cookie);
  await app.call("POST", "/api/profile/two-factor/app", undefined, maria.cookie);
  expect((await remove()).statusCode).toBe(404);
  const { secret } = await app.turnOnApp(maria);
  const elsewhere = cookiesIn(await app.secondStep(await app.firstStep(maria.username), app.codeOf(secret)));
  expect((await app.turnOnApp(maria)).recoveryCodes).toBeNull();
  expect((await app.call("GET", "/api/auth/me", undefined, elsewhere)).statusCode).toBe(401);
  const rows = await sql<{ detail: object }>`SELECT detail FROM audit WHERE action = 'two-factor.add'
    AND subject_id = ${maria.userId} ORDER BY id`.execute(app.porchlight.db);
  expect(rows.rows.map(({ detail }) => detail)).toEqual([
    { factor: "app" },
    { factor: "app", replaced: true },
  ]);
});

test("a session gets a new token with every change of the factors: a copy of the earlier one opens nothing", async () => {
  const maria = await app.person("staff");
  const opens = async (cookie: string) =>
    (await app.porchlight.call({ method: "GET", url: "/api/profile", headers: { cookie } })).statusCode ===
    200;
  /** The session's cookie after a change, which has to be another one. */
  const after = async (method: "POST" | "DELETE", url: string, cookie: string, body?: object) => {
    const reply = await app.call(method, `/api/profile/two-factor/${url}`, body, cookie);
    expect([reply.statusCode, await opens(cookie)]).toEqual([200, false]);
    return cookiesIn(reply);
  };
  const begun = await app.call("POST", "/api/profile/two-factor/app", undefined, maria.cookie);
  const code = app.codeOf(begun.json<{ secret: string }>().secret);
  let cookie = await after("POST", "app/confirm", maria.cookie, { code });
  cookie = await after("POST", "recovery-codes", cookie);
  cookie = await after("DELETE", "app", cookie);
  expect(await opens(cookie)).toBe(true);
});

describe("recovery codes", () => {
  test("are made five times an hour, also with a first factor, but a wrong code of an app costs none", async () => {
    const maria = await app.person("tenant");
    const post = (url: string, body?: object) =>
      app.call("POST", `/api/profile/two-factor/${url}`, body, maria.cookie);
    await post("app");
    for (let n = 0; n < 6; n++) expect((await post("app/confirm", { code: "000000" })).statusCode).toBe(400);
    await app.turnOnApp(maria);
    for (let n = 0; n < 3; n++) expect((await post("recovery-codes")).statusCode).toBe(200);
    await app.call("DELETE", "/api/profile/two-factor/app", undefined, maria.cookie);
    await app.turnOnApp(maria);
    expect((await post("recovery-codes")).statusCode).toBe(429);
    await app.call("DELETE", "/api/profile/two-factor/app", undefined, maria.cookie);
    await expect(app.turnOnApp(maria)).rejects.toThrow("Too many attempts");
  });

  test("are ten, hashed, and each works once in place of the app", async () => {
    const maria = await app.person("tenant");
    const { recoveryCodes } = await app.turnOnApp(maria);
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/);
    const stored = await sql<{
      row: string;
    }>`SELECT r::text AS row FROM recovery_codes r WHERE user_id = ${maria.userId}`.execute(
      app.porchlight.db,
    );
    for (const code of recoveryCodes) {
      for (const plain of [code, code.replace("-", "")]) {
        const hex = Buffer.from(plain).toString("hex");
        expect(stored.rows.some(({ row }) => row.includes(plain) || row.includes(hex))).toBe(false);
      }
    }
    const [first = "", second = ""] = recoveryCodes;
    const typed = ` ${first.toLowerCase().replace("-", " ")}`;
    expect((await app.secondStep(await app.firstStep(maria.username), typed, "recovery")).statusCode).toBe(
      200,
    );
    const again = await app.secondStep(await app.firstStep(maria.username), first, "recovery");
    expect(codeSentence(again)).toBe("This is not one of your recovery codes, or it was used before.");
    const signedIn = await app.secondStep(await app.firstStep(maria.username), second, "recovery");
    const read = await app.call("GET", "/api/profile/two-factor", undefined, cookiesIn(signedIn));
    expect(read.json()).toMatchObject({ recoveryCodesLeft: 8 });
  });

  test("when two are entered at once for one sign-in, only one is used up, with one notice", async () => {
    const maria = await app.person("tenant", { email: "maria@example.com" });
    const { recoveryCodes } = await app.turnOnApp(maria);
    const pending = await app.firstStep(maria.username);
    const { db } = app.porchlight;
    const sent = await db.transaction().execute(async (tx) => {
      await sql`SELECT FROM recovery_codes WHERE user_id = ${maria.userId} FOR UPDATE`.execute(tx);
      const calls = recoveryCodes.slice(0, 2).map((code) => app.secondStep(pending, code, "recovery"));
      await until(async () => {
        const { rows } = await sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
        expect(rows).toHaveLength(calls.length);
      });
      return calls;
    });
    const codes = (await Promise.all(sent)).map(({ statusCode }) => statusCode);
    expect(codes.toSorted((one, other) => one - other)).toEqual([200, 401]);
    const left =
      await sql`SELECT FROM recovery_codes WHERE user_id = ${maria.userId} AND used_at IS NULL`.execute(db);
    expect(left.rows).toHaveLength(9);
    const notices =
      await sql`SELECT FROM notifications WHERE kind = 'notice' AND title = 'A recovery code was used'
      AND audience @> ${JSON.stringify([{ type: "user", id: maria.userId }])}::jsonb`.execute(db);
    expect(notices.rows).toHaveLength(1);
  });

  test("new ones end the earlier ones; someone without a second factor gets none", async () => {
    const maria = await app.person("tenant");
    const url = "/api/profile/two-factor/recovery-codes";
    expect((await app.call("POST", url, undefined, maria.cookie)).json()).toMatchObject({ code: "conflict" });
    const { recoveryCodes: earlier } = await app.turnOnApp(maria);
    const { recoveryCodes } = (await app.call("POST", url, undefined, maria.cookie)).json<{
      recoveryCodes: string[];
    }>();
    const attempt = async (code = "") =>
      (await app.secondStep(await app.firstStep(maria.username), code, "recovery")).statusCode;
    expect([await attempt(earlier[0]), await attempt(recoveryCodes[0])]).toEqual([401, 200]);
  });
});

test("the secret is encrypted for its person, and a new key seals it again", async () => {
  const maria = await app.person("tenant");
  const { secret } = await app.turnOnApp(maria);
  const stored = async () =>
    (
      await sql<{ secret: string }>`SELECT secret FROM totp_secrets WHERE user_id = ${maria.userId}`.execute(
        app.porchlight.db,
      )
    ).rows[0]!.secret;
  expect(await stored()).not.toContain(secret);

  const { db } = app.porchlight;
  const [old, renewed] = [randomBytes(32), randomBytes(32)];
  const place = `totp ${maria.userId}`;
  await sql`UPDATE totp_secrets SET secret = ${new SecretBox([old]).seal(secret, place)} WHERE user_id = ${maria.userId}`.execute(
    db,
  );
  // Others' secrets in this database were sealed with a key that is not here: they are counted and left alone.
  await rotateTotpSecrets(db, new SecretBox([renewed, old]));
  const now = new Date();
  const { Secret, TOTP } = await import("otpauth");
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
  await sql`UPDATE totp_secrets SET last_step = NULL WHERE user_id = ${maria.userId}`.execute(db);
  expect(await useTotp(db, new SecretBox([renewed]), { userId: maria.userId, code, now })).toBe("right");
  const lost = useTotp(db, new SecretBox([old]), { userId: maria.userId, code, now });
  await expect(lost).rejects.toMatchObject({ code: "conflict" });
});

test("a wrong password gives away nothing about a second factor", async () => {
  const [maria, luis] = [await app.person("tenant"), await app.person("tenant")];
  await app.turnOnApp(maria);
  const attempt = (username: string) =>
    app.call("POST", "/api/auth/login", { username, password: `${password}?` });
  const [one, other] = [await attempt(maria.username), await attempt(luis.username)];
  expect([one.statusCode, one.body, one.cookies]).toEqual([other.statusCode, other.body, other.cookies]);
});
