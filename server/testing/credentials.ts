import { expect } from "vitest";
import { renderEmail } from "#server/delivery/content/render.ts";
import { type Caller, insertPerson, type NewPerson } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";
import { passwordTokenIn, testAppWithWorker } from "#server/testing/worker.ts";

/** The web role, a worker and an administrator called Ann Zeller, who sends one-time links. Close it at the end. */
export async function credentialsScene() {
  const working = await testAppWithWorker();
  const { porchlight } = working;
  const { email, sms } = working.channels;
  const admin = await porchlight.signedIn("admin", { firstName: "Ann", lastName: "Zeller" });

  const call = (method: "GET" | "POST" | "PUT", url: string, body?: unknown, as: Caller | null = admin) =>
    porchlight.call({ method, url, ...(body !== undefined && { body }) }, as);
  const insert = (person: Partial<NewPerson> = {}) => insertPerson(porchlight.db, person);
  const send = (userId: number, by: string[]) =>
    call("POST", "/api/notifications/send-credentials", { userId, channels: by });
  const open = (token: string) => call("GET", `/api/auth/password-link/${token}`, undefined, null);
  const use = (token: string, password = "three ripe figs!") =>
    call("POST", `/api/auth/password-link/${token}`, { password }, null);

  /** The token of a link that has just been mailed to this person. */
  async function mailedToken(userId: number): Promise<string> {
    forgetMessages();
    expect((await send(userId, ["email"])).statusCode).toBe(200);
    return until(() => {
      // A notice of an earlier change may arrive first, and has none.
      const tokens = email.received.map(({ content, values, links }) =>
        passwordTokenIn(renderEmail(content.compiled, values, links).text),
      );
      const token = tokens.findLast((one) => one !== "");
      if (token === undefined) throw new Error("no link has arrived");
      return token;
    });
  }

  function forgetMessages(): void {
    email.received.length = 0;
    sms.received.length = 0;
  }

  const close = () => working.close();
  return { porchlight, email, sms, admin, call, insert, send, open, use, mailedToken, forgetMessages, close };
}
