import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderEmail, renderSms } from "#server/delivery/content/render.ts";
import { type Caller, insertPerson } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";
import { testAppWithWorker, type WorkingApp } from "#server/testing/worker.ts";

/** Each person's own message, as a provider gets it from the worker. */

let app: WorkingApp;
let staff: Caller;
const people: { id: number; email: string; phone: string }[] = [];

beforeAll(async () => {
  app = await testAppWithWorker({ mostWrites: 10_000 });
  staff = await app.porchlight.signedIn("staff");
  for (const n of [1, 2, 3]) {
    const reached = { email: `p${n}@example.com`, phone: `+1415555015${n}` };
    people.push({ id: await insertPerson(app.porchlight.db, { username: `p${n}`, ...reached }), ...reached });
  }
});
afterAll(() => app.close());

const fields = ["amount", "slot"] as const;
const value = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
    fc.constantFrom(
      "00123",
      "$1,685.00",
      "{{slot}} {{first_name}}",
      "{{",
      "<b>no</b> &amp; 'x' \"y\"",
      "**bold** [link](https://example.com)",
      "شقة 12",
      "לילה טוב",
      "9 AM\nto noon",
      "$& $1 \\n",
      "🏠 1st",
    ),
  )
  .filter((text) => /[^\s\p{C}]/u.test(text));
const piece = fc.oneof(
  fc.stringMatching(/^[a-z ,.]{1,12}$/),
  fc.constantFrom(...fields).map((field) => ({ field })),
);
const own = fc.record({ amount: value, slot: value });

/** Nothing but marks and tags that keep a line's direction, and characters that no text has, may differ. */
const read = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\u2066-\u2069]|(?![\t\n])[\p{Cc}\u2028\u2029]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const textOf = (html: string) =>
  html
    .replaceAll(/<bdi>|<\/bdi>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!);

test(
  "whatever a call brings for each person, what arrives is a plain substitution",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.tuple(own, own, own),
        fc.boolean(),
        async (pieces, values, formatted) => {
          const middle = pieces.map((one) => (typeof one === "string" ? one : `{{${one.field}}}`)).join(" ");
          const message = `Dear ${middle} {{amount}}, bye`;
          const arrived = await send({ message, values, formatted });
          for (const [n, { sms, email }] of arrived.entries()) {
            const expected = read(
              message.replaceAll(/\{\{(\w+)\}\}/g, (_, field: "amount" | "slot") => values[n]![field].trim()),
            );
            expect(read(sms)).toBe(expected);
            expect(read(email.text)).toContain(expected);
            expect(read(textOf(email.html))).toContain(expected);
          }
        },
      ),
      { numRuns: 25 },
    );
  },
);

type Sent = { message: string; values: readonly object[]; formatted: boolean };

/** What reaches each of the people. */
async function send({ message, values, formatted }: Sent) {
  const [emails, texts] = [app.channels.email.received, app.channels.sms.received];
  const before = { email: emails.length, sms: texts.length };
  const recipients = people.map(({ id }, n) => ({ type: "user", id, values: values[n] }));
  const body = { title: "Rent", channels: ["email", "sms"], message, recipients, formatted, again: true };
  const reply = await app.porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body]);
  return until(() =>
    people.map(({ email, phone }) => {
      const mail = emails.slice(before.email).find(({ address }) => address === email)!;
      const text = texts.slice(before.sms).find(({ address }) => address === phone)!;
      return {
        email: renderEmail(mail.content.compiled, mail.values, mail.links),
        sms: renderSms(text.content.compiled, text.values).text,
      };
    }),
  );
}
