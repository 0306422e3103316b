import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { answered } from "../testing/answered.ts";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { message, runContent, send, sendOne } from "../testing/sending.ts";
import type { Transport } from "../transport.ts";
import { mailgun } from "./adapter.ts";
import { EMULATED_KEY, mailgunEmulator } from "#emulators/mailgun.ts";

const settings = {
  apiKey: EMULATED_KEY,
  domain: "mg.maple.example",
  fromEmail: "notices@maple.example",
  fromName: "Maple & Harbor",
};
const provider = {
  adapter: mailgun,
  api: mailgunEmulator,
  channel: "email",
  settings,
  secret: EMULATED_KEY,
} as const;

transportContract("Mailgun", () => httpPeer(provider));

describe("Mailgun", () => {
  let emulator: Emulator;
  let transport: Transport;
  const open = (changes: object) =>
    mailgun.open({ ...settings, ...changes }, { channel: "email", apiUrl: emulator.url, guard: null });

  async function sent(index = 0) {
    const { bytes, headers } = emulator.requests[index]!;
    const type = { "content-type": headers["content-type"]! };
    const form = await new Response(new Uint8Array(bytes), { headers: type }).formData();
    const mail = await PostalMime.parse(await (form.get("message") as Blob).arrayBuffer());
    return { form, mail };
  }

  beforeEach(async () => {
    emulator = await startEmulator(mailgunEmulator);
    transport = open({});
  });
  afterEach(async () => {
    await transport.close();
    await emulator.close();
  });

  test("each email is complete, with our Message-ID, its own unsubscribe link and no tracking", async () => {
    const { outcomes } = await send(transport, [message(7, { name: "Łukasz, Jr." })]);
    const { form, mail } = await sent();
    expect(mail.to).toEqual([{ name: "Łukasz, Jr.", address: "tenant7@example.com" }]);
    expect(mail.from).toEqual({ name: "Maple & Harbor", address: "notices@maple.example" });
    const header = (key: string) => mail.headers.find((one) => one.key === key)?.value;
    expect(header("list-unsubscribe")).toBe("<https://maple.example/u/T7>");
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(outcomes.get(7)).toEqual({ kind: "accepted", messageId: mail.messageId!.slice(1, -1) });
    expect(form.get("v:reference")).toBe("run-1-7");
    expect(form.get("o:tracking-clicks")).toBe("no");
    expect(form.get("o:tracking-opens")).toBe("no");
  });

  test("attachments are included", async () => {
    const bytes = Buffer.from("x".repeat(200));
    const content = runContent({}, [{ name: "plan.pdf", type: "application/pdf", bytes }]);
    expect(await sendOne(transport, { content })).toMatchObject({ kind: "accepted" });
    const [attachment] = (await sent()).mail.attachments;
    expect(attachment).toMatchObject({ filename: "plan.pdf", mimeType: "application/pdf" });
    expect(Buffer.from(attachment!.content as ArrayBuffer)).toEqual(bytes);
  });

  test("two people with the same address each get their own email", async () => {
    const both = [1, 2].map((id) =>
      message(id, { address: "home@example.com", values: { first_name: `Person ${id}` } }),
    );
    await send(transport, both);
    expect(emulator.received.map(({ text }) => /Hello (Person \d)/.exec(text)![1]!).toSorted()).toEqual([
      "Person 1",
      "Person 2",
    ]);
  });

  test.each([
    [400, "'from' parameter is not a valid address. please check documentation", { kind: "misconfigured" }],
    [
      400,
      "'to' parameter is not a valid address. please check documentation",
      { kind: "refused", of: "recipient" },
    ],
    [400, "The message is malformed.", { kind: "refused", of: "message" }],
    [402, "The plan's limit is reached.", { kind: "misconfigured" }],
    [403, "Domain mg.maple.example is not allowed to send.", { kind: "misconfigured" }],
    [413, "Request too large.", { kind: "refused", of: "message" }],
    [500, "Internal server error.", { kind: "uncertain" }],
  ])("status %i with “%s” is %j", async (status, sentence, outcome) => {
    const expected = { ...outcome, code: String(status), detail: sentence };
    expect(await answered(provider, { status, body: { message: sentence } }, sendOne)).toMatchObject(
      expected,
    );
  });

  test("for an unknown domain, the error mentions the EU's API", async () => {
    const other = open({ domain: "mg.harbor.example" });
    const detail = expect.stringMatching(/^Domain not found: mg\.harbor\.example\. For a domain in the EU, /);
    expect(await other.check()).toMatchObject({ ok: false, of: "misconfigured", detail });
    await other.close();
  });

  test("a 200 that isn't from the API is not an acceptance", async () => {
    expect(await answered(provider, { status: 200 }, sendOne)).toMatchObject({ kind: "misconfigured" });
  });

  test("a sending key, which has no read access, is tested without sending", async () => {
    const sendingKey = {
      ...mailgunEmulator,
      answer: (...[request, running]: Parameters<typeof mailgunEmulator.answer>) =>
        request.method === "GET" ? { status: 401 } : mailgunEmulator.answer(request, running),
    };
    const other = await startEmulator(sendingKey);
    const opened = mailgun.open(settings, { channel: "email", apiUrl: other.url, guard: null });
    expect(await opened.check()).toEqual({ ok: true, detail: "The API key may send from mg.maple.example." });
    expect(other.received).toEqual([]);
    await opened.close();
    await other.close();
  });

  test.each(["example.com/../x", "example", "a b.com"])("the domain %s is refused", (domain) => {
    expect(mailgun.settings.safeParse({ ...settings, domain }).success).toBe(false);
  });
});
