import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmulator, type EmulatedAnswer, type Emulator } from "#emulators/emulator.ts";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { message, runContent, send } from "../testing/sending.ts";
import type { OutgoingMessage, Transport } from "../transport.ts";
import { onesignal } from "./adapter.ts";
import { EMULATED_APP, EMULATED_KEY, EMULATED_SAFARI_ID, onesignalEmulator } from "#emulators/onesignal.ts";

const settings = { appId: EMULATED_APP, apiKey: EMULATED_KEY };

transportContract("OneSignal", () =>
  httpPeer({
    adapter: onesignal,
    api: onesignalEmulator(),
    channel: "push",
    settings,
    secret: EMULATED_KEY,
  }),
);

describe("OneSignal", () => {
  let emulator: Emulator;
  const opened: Transport[] = [];
  const attributes: Record<string, string | null> = { username: "ann", email: null };
  const open = (changes: object = {}) => {
    const transport = onesignal.open(
      { ...settings, ...changes },
      {
        channel: "push",
        apiUrl: emulator.url,
        guard: null,
        recipients: {
          attributeOf: async (_, attribute) => attributes[attribute]!,
          browsersOf: async () => [],
          forget: async () => undefined,
        },
      },
    );
    opened.push(transport);
    return transport;
  };
  const push = (changes: Partial<OutgoingMessage> = {}) => message(7, changes, "push");
  const outcomeOf = async (one: OutgoingMessage, transport = open()) =>
    (await send(transport, [one])).outcomes.get(one.deliveryId);
  const bodies = () => emulator.requests.map(({ body }) => JSON.parse(body));

  beforeEach(async () => {
    emulator = await startEmulator(onesignalEmulator({ mayViewApp: true }));
  });
  afterEach(async () => {
    for (const transport of opened.splice(0)) await transport.close();
    await emulator.close();
  });

  test("a message targets its person, opens the notice, and expires", async () => {
    const expiresAt = new Date(Date.now() + 90_500);
    expect(await outcomeOf(push({ expiresAt, urgent: true }))).toMatchObject({
      kind: "accepted",
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(bodies()[0]).toMatchObject({
      include_aliases: { external_id: ["7"] },
      headings: { en: "Water off" },
      contents: { en: "Hello Ann" },
      url: "https://maple.example/?notice=7",
      ttl: 90,
      priority: 10,
    });
  });

  test("after a lost answer, the request is repeated with the same key, and no one gets it twice", async () => {
    const one = push();
    emulator.faults.dropAnswers = true;
    expect(await outcomeOf(one)).toMatchObject({ kind: "uncertain" });
    emulator.faults.dropAnswers = false;
    expect(await outcomeOf({ ...one, attempt: 2 })).toMatchObject({ kind: "accepted" });
    expect(emulator.received).toHaveLength(1);
    // A retry by a person has a new time limit and is a separate message.
    await outcomeOf({ ...one, expiresAt: new Date(one.expiresAt.getTime() + 1000) });
    expect(emulator.received).toHaveLength(2);
  });

  test("people are targeted by the account's attribute; without a value nothing is sent", async () => {
    await outcomeOf(push(), open({ userIdAttribute: "username" }));
    expect(emulator.received).toMatchObject([{ to: "ann" }]);
    expect(await outcomeOf(push(), open({ userIdAttribute: "email" }))).toMatchObject({
      kind: "refused",
      of: "recipient",
      code: "no_external_id",
      noDevice: true,
    });
    expect(emulator.requests).toHaveLength(1);
  });

  test("a long message is cut at a character boundary; the notice has the full text", async () => {
    const content = runContent({ content: "é".repeat(3000) });
    expect(await outcomeOf(push({ content, values: {} }))).toMatchObject({ kind: "accepted" });
    expect(bodies()[0].contents.en).toBe(`${"é".repeat(750)}…`);
  });

  test.each<[string, EmulatedAnswer, object]>([
    [
      "no subscribed device",
      { status: 200, body: { id: "", errors: ["All included players are not subscribed"] } },
      { kind: "refused", of: "recipient", noDevice: true },
    ],
    [
      "an unknown alias next to an id",
      { status: 200, body: { id: "1", errors: { invalid_aliases: { external_id: ["7"] } } } },
      { kind: "refused", of: "recipient", noDevice: true },
    ],
    [
      "nothing created, for another reason",
      { status: 200, body: { id: "", errors: ["Message is empty"] } },
      { kind: "refused", of: "message", detail: "Message is empty" },
    ],
    ["an answer that says nothing", { status: 200, body: {} }, { kind: "uncertain", code: "200" }],
    ["an answer that no one can read", { status: 200 }, { kind: "uncertain", code: "200" }],
    [
      "another app's id",
      { status: 400, body: { errors: ["app_id not found"] } },
      { kind: "misconfigured", detail: "app_id not found" },
    ],
    [
      "a refused message",
      { status: 400, body: { errors: [{ code: "too_big", title: "Payload too big" }] } },
      { kind: "refused", of: "message", detail: "Payload too big" },
    ],
    ["the key is being worked on", { status: 409, body: { errors: "Conflict" } }, { kind: "uncertain" }],
    ["it broke", { status: 503 }, { kind: "uncertain", code: "503" }],
  ])("%s", async (_, answer, outcome) => {
    const other = await startEmulator({ ...onesignalEmulator(), answer: () => answer });
    const transport = onesignal.open(settings, { channel: "push", apiUrl: other.url, guard: null });
    expect(await outcomeOf(push(), transport)).toMatchObject(outcome);
    await transport.close();
    await other.close();
  });

  test("a test names the app if the key may see it, and compares the Safari Web ID", async () => {
    const detail = "The API key works for the app “Maple & Harbor”.";
    expect(await open({ safariWebId: EMULATED_SAFARI_ID }).check()).toEqual({ ok: true, detail });
    expect(await open({ safariWebId: "web.other" }).check()).toMatchObject({
      of: "misconfigured",
      detail: `The key works, but the app's Safari Web ID is ${EMULATED_SAFARI_ID}.`,
    });
  });

  test("an invalid App ID gets a clear error", () => {
    const issues = (appId: string) =>
      onesignal.settings.safeParse({ ...settings, appId }).error?.issues[0]?.message;
    expect(issues(" ")).toBe("App ID is required");
    expect(issues("maple")).toMatch(/^An App ID looks like/);
    expect(issues(EMULATED_APP)).toBeUndefined();
    // spec 503
    expect(onesignal.settings.parse(settings)).toMatchObject({ userIdAttribute: "id", safariWebId: "" });
  });
});
