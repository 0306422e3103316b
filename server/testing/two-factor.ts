import type { LightMyRequestResponse } from "fastify";
import { Secret, TOTP } from "otpauth";
import type { Role } from "#contract/calls/auth.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { type Caller, type NewPerson, type TestApp, testApp } from "#server/testing/app.ts";

export const password = "three ripe figs!";
const passwordHash = hashPassword(password);

/** The cookies that a reply sets, as the next request sends them; one that it clears is left out. */
export function cookiesIn(reply: LightMyRequestResponse): string {
  return reply.cookies
    .filter(({ value }) => value !== "")
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
}

export type Person = Caller & { username: string };

/** The web role on a clock that a test moves, and what someone with a phone does with it. */
export async function twoFactorApp(options: { publicUrl?: string } = {}) {
  let clock = Date.parse("2026-11-22T12:00:00Z");
  const porchlight: TestApp = await testApp({ ...options, now: () => new Date(clock) });
  // What a browser's cookie jar does: a session that got a new token goes on with it.
  const renewed = new Map<string, string>();
  const newestOf = (cookie: string): string => {
    const next = renewed.get(cookie);
    return next === undefined ? cookie : newestOf(next);
  };
  const call = async (method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: object, given = "") => {
    const cookie = newestOf(given);
    const reply = await porchlight.call({ method, url, body, headers: cookie === "" ? {} : { cookie } });
    const own = /^porchlight=[^;]+$/.test(cookie) && !url.startsWith("/api/auth/");
    const session = own && reply.cookies.find(({ name }) => name === "porchlight");
    if (session) renewed.set(cookie, `porchlight=${session.value}`);
    return reply;
  };
  let made = 0;

  return {
    porchlight,
    call,
    close: () => porchlight.close(),
    passSeconds: (seconds: number) => void (clock += seconds * 1000),

    async person(role: Role, more: Partial<NewPerson> = {}): Promise<Person> {
      made += 1;
      const username = `phone.owner${made}`;
      const caller = await porchlight.signedIn(role, { username, passwordHash: await passwordHash, ...more });
      return { ...caller, username };
    },

    /** The code that an app shows now, or so many seconds later. */
    codeOf: (secret: string, seconds = 0) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock + seconds * 1000 }),

    /** Turns on an app. The code of these 30 seconds is used then, so the clock moves on. */
    async turnOnApp({ cookie }: Caller): Promise<{ secret: string; recoveryCodes: string[] }> {
      const { secret } = (await call("POST", "/api/profile/two-factor/app", undefined, cookie)).json<{
        secret: string;
      }>();
      const confirmed = await call(
        "POST",
        "/api/profile/two-factor/app/confirm",
        { code: this.codeOf(secret) },
        cookie,
      );
      if (confirmed.statusCode !== 200) throw new Error(confirmed.body);
      this.passSeconds(30);
      return { secret, ...confirmed.json<{ recoveryCodes: string[] }>() };
    },

    logIn: (username: string, cookie = "") => call("POST", "/api/auth/login", { username, password }, cookie),
    /** Signs in up to the second step, and answers the cookie that it needs. */
    async firstStep(username: string, cookie = ""): Promise<string> {
      return cookiesIn(await this.logIn(username, cookie));
    },
    secondStep: (cookie: string, code: string, by = "app") =>
      call("POST", "/api/auth/second-step", { by, code }, cookie),
  };
}
export type TwoFactorApp = Awaited<ReturnType<typeof twoFactorApp>>;
