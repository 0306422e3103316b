import { createECDH } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import type { Browser } from "../push/recipients.ts";
import { transportContract } from "../testing/contract.ts";
import { peerOf } from "../testing/http-peer.ts";
import { message, runContent, send } from "../testing/sending.ts";
import type { OutgoingMessage, Transport } from "../transport.ts";
import { webPush } from "./adapter.ts";
import { opened, pushServiceEmulator } from "#emulators/web-push.ts";
import { encrypt } from "./encryption.ts";
import { isPushEndpoint } from "./push-services.ts";
import { makeKeys } from "./vapid.ts";

const keys = makeKeys();

/** Starts a push service with a browser for each recipient, and a transport to it. */
async function service(browsersOf?: (url: string) => Browser[]) {
  const api = pushServiceEmulator();
  const emulator = await startEmulator(api);
  const forgotten: number[] = [];
  const browser = (id: string): Browser => {
    const { path, ...browserKeys } = api.browser(id, keys.publicKey);
    return { id: Number(id), endpoint: `${emulator.url}${path}`, ...browserKeys };
  };
  const open = () =>
    webPush.open(keys, {
      channel: "push",
      apiUrl: emulator.url,
      guard: null,
      recipients: {
        attributeOf: async () => null,
        browsersOf: async (address) => browsersOf?.(emulator.url) ?? [browser(address)],
        forget: async (ids) => void forgotten.push(...ids),
      },
    });
  return { emulator, browser, forgotten, open };
}

transportContract(
  "Web Push",
  async () => {
    const { emulator, open } = await service();
    return { ...peerOf(emulator), channel: "push", secret: keys.privateKey, open };
  },
  { generatedKey: true, answersPerRecipient: true },
);

test("encryption matches RFC 8291's example byte for byte", () => {
  const base64 = (text: string) => Buffer.from(text, "base64url");
  const sender = createECDH("prime256v1");
  sender.setPrivateKey(base64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
  const receiver = createECDH("prime256v1");
  receiver.setPrivateKey(base64("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"));
  const browser = { p256dh: receiver.getPublicKey("base64url"), auth: "BTBZMqHH6r4Tts7J_aSIgg" };
  const text = Buffer.from("When I grow up, I want to be a watermelon");
  const body = encrypt(text, browser, { salt: base64("DGv6ra1nlYgDCS1FRnbzlw"), sender });
  expect(body.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
  expect(opened(body, { keys: receiver, auth: base64(browser.auth) })).toBe(text.toString());
});

describe("Web Push", () => {
  let list: Browser[] = [];
  let at: Awaited<ReturnType<typeof service>>;
  let emulator: Emulator;
  let transport: Transport;
  const push = (changes: Partial<OutgoingMessage> = {}) => message(7, changes, "push");
  const outcome = async (one = push()) => (await send(transport, [one])).outcomes.get(one.deliveryId);

  beforeEach(async () => {
    list = [];
    at = await service(() => list);
    emulator = at.emulator;
    transport = at.open();
  });
  afterEach(async () => {
    await transport.close();
    await emulator.close();
  });

  test("a message has a time to live, an urgency, and a topic", async () => {
    list = [at.browser("1")];
    const expiresAt = new Date(Date.now() + 60_500);
    expect(await outcome(push({ expiresAt, urgent: true }))).toMatchObject({ kind: "accepted" });
    expect(emulator.requests[0]!.headers).toMatchObject({ ttl: "60", urgency: "high", topic: "notice-7" });
    expect(emulator.received).toEqual([{ to: "1", text: "Water off\nHello Ann" }]);
  });

  test("the longest message fits, whatever its content", async () => {
    list = [at.browser("1")];
    const content = runContent({ title: '"'.repeat(200), content: '"'.repeat(3000) });
    expect(await outcome(push({ content, values: {} }))).toMatchObject({ kind: "accepted" });
  });

  test("each of a person's browsers gets it; one is enough, and browsers that are gone are deleted", async () => {
    list = [at.browser("1"), at.browser("2"), at.browser("3")];
    emulator.faults.refused.add("2");
    expect(await outcome()).toMatchObject({ kind: "accepted", detail: "Sent to 2 of 3 browsers." });
    expect(at.forgotten).toEqual([2]);
    for (const id of ["1", "3"]) emulator.faults.refused.add(id);
    expect(await outcome()).toMatchObject({ kind: "refused", code: "no_browser", noDevice: true });
    list = [];
    expect(await outcome()).toMatchObject({ kind: "refused", code: "no_browser", noDevice: true });
  });

  test("a browser subscribed with another key refuses ours, and invalid keys count as gone", async () => {
    list = [{ ...at.browser("1"), p256dh: "BAAA" }];
    expect(await outcome()).toMatchObject({ code: "no_browser" });
    expect(at.forgotten).toEqual([1]);
  });

  test("an unknown endpoint is not connected to, and says nothing about the account", async () => {
    list = [{ ...at.browser("1"), endpoint: "https://www.google.com/x" }];
    expect(await outcome()).toMatchObject({
      kind: "refused",
      of: "recipient",
      code: "not_a_push_service",
      noDevice: true,
    });
  });

  test.each([
    [400, { kind: "refused", of: "recipient" }],
    [401, { kind: "refused", of: "recipient" }],
    [403, { kind: "refused", of: "recipient" }],
    [405, { kind: "refused", of: "recipient" }],
    [413, { kind: "refused", of: "recipient" }],
    [429, { kind: "unavailable" }],
    [500, { kind: "uncertain" }],
  ])("a push service that answers %s does so of one person", async (status, is) => {
    const other = await startEmulator({ ...pushServiceEmulator(), answer: () => ({ status }) });
    list = [{ ...at.browser("1"), endpoint: `${other.url}/push/1` }];
    const browsersOf = async () => list;
    const recipients = { attributeOf: async () => null, browsersOf, forget: async () => undefined };
    const sender = webPush.open(keys, { channel: "push", apiUrl: other.url, guard: null, recipients });
    const detail = `The push service answered with status ${status}`;
    const { outcomes } = await send(sender, [push()]);
    expect(outcomes.get(7)).toEqual({ ...is, code: String(status), detail });
    await sender.close();
    await other.close();
  });

  test.each([
    ["https://fcm.googleapis.com/fcm/send/x", true],
    ["https://updates.push.services.mozilla.com/wpush/v2/x", true],
    ["https://web.push.apple.com/x", true],
    ["https://wns2-by3p.notify.windows.com/w/?token=x", true],
    ["http://fcm.googleapis.com/fcm/send/x", false],
    ["https://fcm.googleapis.com:8443/x", false],
    ["https://user@fcm.googleapis.com/x", false],
    ["https://www.google.com/x", false],
    ["https://storage.googleapis.com/x", false],
    ["https://notify.windows.com.evil.example/x", false],
    ["https://evilnotify.windows.com/x", false],
    ["https://127.0.0.1/push", false],
    ["http://127.0.0.1:9/push/1", false],
  ])("%s is at a push service: %s", (endpoint, is) => {
    expect(isPushEndpoint(endpoint, null)).toBe(is);
  });
});
