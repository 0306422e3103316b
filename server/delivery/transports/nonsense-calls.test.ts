import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import "#server/testing/seed.ts";
import { EMULATED_TOPIC, snsCall } from "#emulators/aws-sns.ts";
import { boundedEvent } from "./bounded.ts";
import { adapters } from "./registry.ts";
import { MOST_FIELDS } from "./sms/form.ts";
import { nonsenseLike } from "./testing/nonsense.ts";
import { receiptKinds, type WebhookCall } from "./webhook.ts";

const url = "https://maple.example/webhooks/7?reference=run-1-7";
const receivedAt = new Date("2026-11-26T10:00:00Z");
const timestamp = receivedAt.toISOString();
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

type Events = {
  headers: Record<string, string>;
  /** Documented events, with optional fields that may also be null. */
  told: readonly object[];
  body?: (event: unknown) => string;
};

const sns = (event: unknown) =>
  snsCall(url, { Message: JSON.stringify(event), TopicArn: EMULATED_TOPIC, Timestamp: timestamp }).body;
const fields = (event: unknown) =>
  new URLSearchParams(
    Object.entries(Object(event)).map(([name, value]) => [
      name,
      typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
    ]),
  ).toString();

const providers: Record<string, Events> = {
  sendgrid: {
    headers: json,
    body: (event) =>
      JSON.stringify([event, { event: "open", sg_event_id: "2", timestamp: 1, delivery: "7", run: "run-1" }]),
    told: [
      {
        event: "bounce",
        sg_event_id: "1",
        timestamp: 1,
        delivery: "7",
        run: "run-1",
        reason: "x",
        status: "5.1.1",
        type: "bounce",
        url: "x",
      },
      {
        event: "dropped",
        sg_event_id: "1",
        timestamp: 1,
        delivery: "7",
        run: "run-1",
        reason: "Unsubscribed Address",
        email: "a@b.example",
      },
    ],
  },
  postmark: {
    headers: json,
    told: [
      {
        RecordType: "Bounce",
        MessageID: "m",
        Metadata: { reference: "run-1-7" },
        ID: 5,
        Type: "HardBounce",
        Email: "a@b.example",
        Details: "550 5.1.1 x",
        BouncedAt: timestamp,
      },
      {
        RecordType: "SubscriptionChange",
        MessageID: "m",
        Metadata: { reference: "run-1-7" },
        Recipient: "a@b.example",
        SuppressSending: true,
        SuppressionReason: "ManualSuppression",
        ChangedAt: timestamp,
      },
    ],
  },
  mailgun: {
    headers: json,
    told: [
      {
        signature: { timestamp: "1", token: "t", signature: "s" },
        "event-data": {
          event: "failed",
          timestamp: 1,
          severity: "permanent",
          reason: "bounce",
          recipient: "a@b.example",
          message: { headers: { "message-id": "m" } },
          "user-variables": { reference: "run-1-7" },
          "delivery-status": { code: 550, "enhanced-code": "5.1.1", message: "x", description: "y" },
          reject: { reason: "x" },
          url: "x",
        },
      },
    ],
  },
  resend: {
    headers: { ...json, "svix-id": "msg_1" },
    told: [
      {
        type: "email.bounced",
        created_at: timestamp,
        data: {
          email_id: "m",
          to: ["a@b.example"],
          tags: { reference: "run-1-7" },
          bounce: { type: "Permanent", subType: "General", message: "x" },
          click: { link: "x" },
        },
      },
    ],
  },
  ses: {
    headers: json,
    body: sns,
    told: [
      {
        eventType: "Bounce",
        mail: { timestamp, messageId: "m", destination: ["a@b.example"], tags: { reference: ["run-1-7"] } },
        bounce: {
          timestamp,
          bounceType: "Permanent",
          bounceSubType: "General",
          bouncedRecipients: [{ status: "5.1.1", diagnosticCode: "x" }],
        },
      },
      {
        eventType: "Complaint",
        mail: { timestamp, messageId: "m" },
        complaint: { timestamp, complaintFeedbackType: "abuse", complaintSubType: "x" },
      },
    ],
  },
  twilio: {
    headers: form,
    body: fields,
    told: [
      { MessageSid: "SM1", MessageStatus: "failed", ErrorCode: "30005", From: "+1", To: "+1", Body: "x" },
    ],
  },
  vonage: {
    headers: json,
    told: [
      {
        messageId: "m",
        status: "failed",
        "err-code": "9",
        "client-ref": "run-1-7",
        timestamp: "1",
        sig: "x",
      },
      { messageId: "m", msisdn: "1415", to: "1", text: "STOP", timestamp: "1" },
    ],
  },
  telnyx: {
    headers: json,
    told: [
      {
        data: {
          event_type: "message.finalized",
          id: "e",
          occurred_at: timestamp,
          payload: {
            id: "m",
            from: { phone_number: "+1" },
            to: [{ phone_number: "+1", status: "delivery_failed" }],
            text: "x",
            errors: [{ code: "40012", title: "x", detail: "y" }],
          },
        },
      },
    ],
  },
  plivo: {
    headers: form,
    body: fields,
    told: [
      {
        MessageUUID: "m",
        ParentMessageUUID: "p",
        Status: "failed",
        ErrorCode: "70",
        From: "1",
        To: "1",
        Text: "x",
      },
    ],
  },
  "amazon-sms": {
    headers: json,
    body: sns,
    told: [
      {
        eventType: "TEXT_INVALID",
        eventTimestamp: 1,
        messageId: "m",
        messageStatusDescription: "x",
        context: { reference: "run-1-7" },
      },
      { originationNumber: "+1", destinationNumber: "+1", messageBody: "STOP", inboundMessageId: "m" },
    ],
  },
};

test("every provider with a webhook is here", () => {
  const kinds = adapters.filter(({ webhook }) => webhook).map(({ kind }) => kind);
  expect(Object.keys(providers).toSorted()).toEqual(kinds.toSorted());
});

describe.each(Object.entries(providers))(
  "%s",
  (kind, { headers, told, body = (event) => JSON.stringify(event) }) => {
    const adapter = adapters.find((one) => one.kind === kind)!;
    const webhook = adapter.webhook!;
    const callOf = (event: unknown): WebhookCall => ({
      url,
      headers,
      body: Buffer.from(body(event)),
      receivedAt,
    });
    const events = (event: unknown) => webhook.read(callOf(event));

    test("nonsense is an event with a meaning, an event that can't be read, or nothing, and can be stored", () => {
      fc.assert(
        fc.property(fc.oneof(...told.map(nonsenseLike)), (event) => {
          let read;
          try {
            read = events(event);
          } catch (error) {
            // Kept as it came.
            expect(error).toHaveProperty("name", expect.stringMatching(/Zod/));
            return;
          }
          for (const one of read) {
            const bounded = boundedEvent(one, receivedAt);
            const { what, eventId, at, ...others } = JSON.parse(JSON.stringify(bounded)) as Record<
              string,
              unknown
            >;
            expect([...receiptKinds, "text", "unreadable"]).toContain(what);
            expect(String(eventId).length).toBeLessThanOrEqual(255);
            expect(Number.isNaN(new Date(String(at)).getTime())).toBe(false);
            for (const [name, value] of Object.entries(others)) {
              expect([name, typeof value]).toEqual([
                name,
                name === "suppress" ? "boolean" : name === "recipients" ? "object" : "string",
              ]);
              expect(JSON.stringify(value).length).toBeLessThanOrEqual(12_000);
            }
          }
        }),
        { numRuns: 60 },
      );
    });

    test.skipIf(headers === form)("a null is an absent value, in any field", () => {
      for (const event of told) {
        for (const path of pathsOf(event)) {
          let without: unknown;
          try {
            without = events(changed(event, path, undefined));
          } catch {
            without = "unreadable";
          }
          const given = () => events(changed(event, path, null));
          if (without === "unreadable") expect(given).toThrow(/\S/);
          else
            expect([path.join("."), withoutHashes(given())]).toEqual([
              path.join("."),
              withoutHashes(without),
            ]);
        }
      }
    });

    test("names that every object has mean nothing", () => {
      for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
        for (const event of told) {
          for (const path of pathsOf(event)) {
            let read: { what: unknown; code?: unknown; detail?: unknown }[] = [];
            try {
              read = events(changed(event, path, name));
            } catch {
              continue;
            }
            for (const { what, code, detail } of read) {
              for (const part of [what, code ?? "", detail ?? ""])
                expect([path, typeof part]).toEqual([path, "string"]);
            }
          }
        }
      }
    });

    test("nothing is done with each part of a call before it is known who made it", async () => {
      const parse = vi.spyOn(JSON, "parse");
      const settings = { ...anySettings[kind]!, topicArn: EMULATED_TOPIC };
      const call = { url, headers, body: Buffer.from(worst["many numbers"]!(100)), receivedAt };
      expect(await webhook.isGenuine(call, settings, "")).toBe(false);
      const revivers = parse.mock.calls.filter(([, reviver]) => reviver);
      parse.mockRestore();
      expect(revivers).toEqual([]);
    });

    test("the worst megabyte costs no more per byte than a small call, before it is known who made it", async () => {
      const settings = { ...anySettings[kind]!, topicArn: EMULATED_TOPIC };
      const signed = {
        "x-twilio-signature": "x",
        "x-plivo-signature-v3": "x",
        "x-plivo-signature-v3-nonce": "x",
        "telnyx-signature-ed25519": "x",
        "telnyx-timestamp": String(receivedAt.getTime() / 1000),
        "svix-id": "x",
        "svix-timestamp": String(receivedAt.getTime() / 1000),
        "svix-signature": "x ".repeat(2000),
        "x-twilio-email-event-webhook-signature": "x",
        "x-twilio-email-event-webhook-timestamp": String(receivedAt.getTime() / 1000),
        authorization: `Basic ${"x".repeat(8000)}`,
      };
      for (const [name, write] of Object.entries(worst)) {
        const cost = async (bytes: number) => {
          const call = {
            url,
            headers: { ...headers, ...signed },
            body: Buffer.from(write(bytes)),
            receivedAt,
          };
          const costs = [];
          for (let n = 0; n < 2; n += 1) {
            const before = process.cpuUsage();
            expect(await webhook.isGenuine(call, settings, "")).toBe(false);
            const { user, system } = process.cpuUsage(before);
            costs.push(user + system);
          }
          return Math.min(...costs);
        };
        const small = Math.max(await cost(2 ** 16), 2000);
        // Sixteen times as large. Sorting takes a little more; what is quadratic takes 256 times as much.
        expect([name, (await cost(2 ** 20)) / small]).toEqual([
          name,
          expect.toSatisfy((ratio: number) => ratio < 80),
        ]);
      }
    });
  },
);

test("a form with more fields than any provider sends isn't sorted", async () => {
  const { webhook } = adapters.find(({ kind }) => kind === "twilio")!;
  const body = Buffer.from(Array.from({ length: MOST_FIELDS + 1 }, (_, n) => `a${n}=1`).join("&"));
  expect(
    webhook!.read({
      url,
      headers: form,
      receivedAt,
      body: Buffer.concat([Buffer.from("MessageSid=SM1&"), body]),
    }),
  ).toEqual([]);
});

const anySettings: Record<string, Record<string, string>> = Object.fromEntries(
  Object.keys(providers).map((kind) => [kind, settingsOf(kind)]),
);

/** Settings of a saved account, with the keys that its webhook needs. */
function settingsOf(kind: string): Record<string, string> {
  const id = "0123456789abcdef".repeat(2);
  const email = {
    fromEmail: "office@maple.example",
    apiKey: "x",
    domain: "mg.maple.example",
    signingKey: "x",
    signingSecret: "whsec_eA==",
    webhookPassword: "x",
  };
  const aws = { accessKeyId: "AKIA0123456789ABCDEF", secretAccessKey: "x".repeat(40), region: "us-east-1" };
  const fromNumber = "+14155550100";
  const own: Record<string, Record<string, string>> = {
    twilio: { accountSid: `AC${id}`, authToken: id, fromNumber },
    plivo: { authId: "MAXXXXXXXXXXXXXXXXXX", authToken: "x".repeat(40), fromNumber },
    vonage: { apiKey: "abcd1234", apiSecret: "x", signatureSecret: "x", fromNumber },
    telnyx: { apiKey: "x", publicKey: Buffer.alloc(32, 9).toString("base64"), fromNumber },
    "amazon-sms": { ...aws, fromNumber },
    ses: { ...aws, ...email },
  };
  return own[kind] ?? email;
}

const mailgunStart = '{"signature":{"timestamp":"1","token":"t","signature":"s"}';
const worst: Record<string, (bytes: number) => string> = {
  "many fields": (bytes) =>
    Array.from({ length: bytes / 9 }, (_, n) => `${String(n).padStart(6, "a")}=1`).join("&"),
  "one field many times": (bytes) => "a=1&".repeat(bytes / 4),
  "a long field": (bytes) => `a=${"%".repeat(bytes)}`,
  "many JSON fields": (bytes) =>
    `{${Array.from({ length: bytes / 14 }, (_, n) => `"${String(n).padStart(9, "a")}":1`).join(",")}}`,
  "deep JSON": (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "deep JSON in a signed field": (bytes) => `{"signature":${"[".repeat(bytes / 2)}${"]".repeat(bytes / 2)}}`,
  "many numbers": (bytes) => `${mailgunStart},"a":[${"0,".repeat(bytes / 2)}0]}`,
  "many nested arrays": (bytes) => `${mailgunStart},"a":[${"[[]],".repeat(bytes / 5)}0]}`,
  "a long JSON string": (bytes) => JSON.stringify({ sig: "&=".repeat(bytes / 2), timestamp: "1" }),
};

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...path, name]));
  return path.length > 0 && !Array.isArray(value) ? [path, ...inner] : inner;
}

function changed(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  if (Array.isArray(value))
    return value.map((part, index) => (String(index) === name ? changed(part, rest, to) : part));
  return { ...(value as object), [name]: changed((value as Record<string, unknown>)[name], rest, to) };
}

const withoutHashes = (events: unknown) =>
  JSON.stringify(events).replaceAll(/unreadable [0-9a-f]{64}/g, "unreadable");
