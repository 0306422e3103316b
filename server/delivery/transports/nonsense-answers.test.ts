import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Channel } from "#contract/delivery.ts";
import "#server/testing/seed.ts";
import type { OpenContext, TransportAdapter } from "./adapter.ts";
import { amazonSms } from "./amazon-sms/adapter.ts";
import { amazonSmsEmulator } from "#emulators/amazon-sms.ts";
import { startEmulator, type EmulatedAnswer, type EmulatedApi, type Emulator } from "#emulators/emulator.ts";
import { mailgun } from "./mailgun/adapter.ts";
import { mailgunEmulator } from "#emulators/mailgun.ts";
import { onesignal } from "./onesignal/adapter.ts";
import { onesignalEmulator } from "#emulators/onesignal.ts";
import { plivo } from "./plivo/adapter.ts";
import { plivoEmulator } from "#emulators/plivo.ts";
import { postmark } from "./postmark/adapter.ts";
import { postmarkEmulator } from "#emulators/postmark.ts";
import { adapters } from "./registry.ts";
import { resend } from "./resend/adapter.ts";
import { resendEmulator } from "#emulators/resend.ts";
import { sendgrid } from "./sendgrid/adapter.ts";
import { sendgridEmulator } from "#emulators/sendgrid.ts";
import { ses } from "./ses/adapter.ts";
import { sesEmulator } from "#emulators/ses.ts";
import { telnyx } from "./telnyx/adapter.ts";
import { telnyxEmulator } from "#emulators/telnyx.ts";
import { nonsenseLike } from "./testing/nonsense.ts";
import { message, send } from "./testing/sending.ts";
import type { Outcome, Transport } from "./transport.ts";
import { twilio } from "./twilio/adapter.ts";
import { twilioEmulator } from "#emulators/twilio.ts";
import { vonage } from "./vonage/adapter.ts";
import { vonageEmulator } from "#emulators/vonage.ts";
import { webPush } from "./web-push/adapter.ts";
import { pushServiceEmulator } from "#emulators/web-push.ts";
import { makeKeys } from "./web-push/vapid.ts";

// Keyed requests are repeated after a pause.
vi.mock("node:timers/promises", () => ({ setTimeout: () => Promise.resolve() }));

type Provider = {
  adapter: TransportAdapter;
  channel: Channel;
  api: EmulatedApi;
  settings?: object;
  context?: (url: string) => Partial<OpenContext>;
  /** An acceptance and a refusal in its own format, to be distorted. */
  own: [accepted: object, refused: object];
};

const keys = makeKeys();
const service = pushServiceEmulator();

const providers: readonly Provider[] = [
  {
    adapter: sendgrid,
    channel: "email",
    api: sendgridEmulator,
    own: [{}, { errors: [{ message: "Bad", field: "personalizations.0.to.0.email" }] }],
  },
  {
    adapter: postmark,
    channel: "email",
    api: postmarkEmulator,
    own: [[{ ErrorCode: 0, Message: "OK", MessageID: "m" }], { ErrorCode: 406, Message: "Inactive" }],
  },
  {
    adapter: mailgun,
    channel: "email",
    api: mailgunEmulator,
    own: [{ id: "<m>", message: "Queued" }, { message: "to parameter is not a valid address" }],
  },
  {
    adapter: resend,
    channel: "email",
    api: resendEmulator,
    own: [
      { data: [{ id: "m" }], errors: [{ index: 1, message: "Bad" }] },
      { name: "validation_error", message: "Bad" },
    ],
  },
  {
    adapter: ses,
    channel: "email",
    api: sesEmulator,
    own: [{ MessageId: "m" }, { message: "Illegal address" }],
  },
  {
    adapter: twilio,
    channel: "sms",
    api: twilioEmulator,
    own: [
      { sid: "SM1", status: "queued" },
      { code: 21211, message: "Invalid 'To'", status: 400 },
    ],
  },
  {
    adapter: vonage,
    channel: "sms",
    api: vonageEmulator,
    own: [
      { messages: [{ status: "0", "message-id": "m" }] },
      { messages: [{ status: "33", "error-text": "Gone" }] },
    ],
  },
  {
    adapter: telnyx,
    channel: "sms",
    api: telnyxEmulator,
    own: [{ data: { id: "m" } }, { errors: [{ code: "40310", title: "Invalid", detail: "Invalid 'to'" }] }],
  },
  {
    adapter: plivo,
    channel: "sms",
    api: plivoEmulator,
    own: [{ message_uuid: ["m"], invalid_number: ["1"] }, { error: { error: "dst is not valid" } }],
  },
  {
    adapter: amazonSms,
    channel: "sms",
    api: amazonSmsEmulator,
    own: [
      { MessageId: "m" },
      {
        __type: "ValidationException",
        Message: "Bad",
        Reason: "x",
        Fields: [{ Name: "MessageBody", Message: "x" }],
      },
    ],
  },
  {
    adapter: onesignal,
    channel: "push",
    api: onesignalEmulator(),
    own: [
      { id: "m", errors: { invalid_aliases: { external_id: ["1"] } } },
      { errors: ["Bad", { title: "x" }] },
    ],
  },
  {
    adapter: webPush,
    channel: "push",
    api: service,
    settings: keys,
    context: (url) => {
      const { path, ...browserKeys } = service.browser("1", keys.publicKey);
      const browsersOf = async () => [{ id: 1, endpoint: `${url}${path}`, ...browserKeys }];
      const forget = () => Promise.reject(new Error("A browser was given up"));
      return { recipients: { attributeOf: async () => null, browsersOf, forget } };
    },
    own: [{}, {}],
  },
];

test("every provider with a web API is here", () => {
  const kinds = adapters.filter(({ api }) => api).map(({ kind }) => kind);
  expect(providers.map(({ adapter }) => adapter.kind).toSorted()).toEqual(kinds.toSorted());
});

const PAGE =
  "<!DOCTYPE html><html><title>Sign in to the network</title><p>to is not a valid address</p></html>";

const pages: [name: string, answer: Omit<EmulatedAnswer, "status">][] = [
  ["HTML", { text: PAGE, headers: { "content-type": "text/html", "x-message-id": "m", location: "/m" } }],
  ["HTML that claims to be JSON", { text: `\n ${PAGE}`, headers: { "content-type": "application/json" } }],
];
const everything = [
  200, 201, 202, 203, 206, 302, 400, 401, 402, 403, 404, 409, 410, 413, 418, 422, 429, 451, 502, 511,
];

describe.each(providers.map((provider) => [provider.adapter.label, provider] as const))(
  "%s",
  (
    _,
    {
      adapter,
      channel,
      api,
      settings = { ...api.settings, fromEmail: "office@maple.example" },
      context,
      own,
    },
  ) => {
    let emulator: Emulator;
    let transport: Transport;
    let answer: EmulatedAnswer = { status: 500 };

    beforeAll(async () => {
      emulator = await startEmulator({ ...api, answer: () => answer });
      transport = adapter.open(settings, {
        channel,
        apiUrl: emulator.url,
        guard: null,
        ...context?.(emulator.url),
      });
    });
    afterAll(async () => {
      await transport.close();
      await emulator.close();
    });

    const outcomes = async (given: EmulatedAnswer, count: number): Promise<(Outcome | undefined)[]> => {
      answer = given;
      const messages = Array.from({ length: count }, (__, index) => message(index + 1, {}, channel));
      return [...(await send(transport, messages)).outcomes.values()];
    };

    test.each(pages)(
      "%s in its place is no verdict, whatever the status, for one person or three",
      async (__, page) => {
        for (const status of everything) {
          for (const count of [1, 3]) {
            for (const outcome of await outcomes({ status, ...page }, count)) {
              expect([status, outcome?.kind]).toEqual([
                status,
                expect.not.stringMatching(/accepted|refused/),
              ]);
            }
          }
          expect([status, (await transport.check()).ok]).toEqual([status, adapter.kind === "web-push"]);
        }
      },
    );

    test.each([200, 201, 202, 400, 418])(
      "HTML with status %i certainly sent nothing, so it is sent later",
      async (status) => {
        const [outcome] = await outcomes({ status, text: PAGE }, 1);
        expect(outcome).toMatchObject({ kind: "unavailable", code: "not_the_provider" });
        // A firewall's page is about the words of one message. Anyone can subscribe a browser that answers with a page.
        const rests = status < 400 && adapter.kind !== "web-push";
        expect("account" in outcome!).toBe(rests);
      },
    );

    test.each([204, 205, 402, 418, 426])("an empty answer with status %i is no verdict", async (status) => {
      const [outcome] = await outcomes({ status }, 1);
      expect(outcome?.kind).toMatch(/unavailable|uncertain/);
    });

    test("nonsense is answered with an outcome that can be stored", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(200, 201, 202, 400, 403, 404, 409, 429, 500),
          fc.oneof(...own.map(nonsenseLike)),
          async (status, body) => {
            for (const outcome of await outcomes({ status, body }, 2)) {
              expect(outcome).toMatchObject({ kind: expect.any(String) });
              const { code, detail, messageId } = outcome as Record<string, unknown>;
              for (const said of [code, detail, messageId]) expect(typeof (said ?? "")).toBe("string");
              if (outcome!.kind !== "accepted")
                expect([code, detail]).toEqual([expect.any(String), expect.any(String)]);
            }
          },
        ),
        { numRuns: 100 },
      );
    });
  },
);
