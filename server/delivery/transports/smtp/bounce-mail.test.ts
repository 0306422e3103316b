import { describe, expect, test } from "vitest";
import { markOf } from "../email/message-headers.ts";
import { readBounceMail } from "./bounce-mail.ts";
import { autoReply, exchange, exim, gmail, postfix, postfixDelayed } from "./testing/bounces.ts";

const mark = markOf("secret-1", "7r1");
const about = { messageId: `${mark}@maple.example` };
const at = new Date("2026-11-25T14:00:05Z");
const read = (raw: string) => readBounceMail(Buffer.from(raw), at);

describe("a notification from", () => {
  test.each([
    [
      "Postfix",
      postfix(about),
      "5.1.1",
      "<ann@example.com>: Recipient address rejected: User unknown in local recipient table",
    ],
    [
      "Exchange",
      exchange(about),
      "5.1.10",
      "RESOLVER.ADR.RecipientNotFound; Recipient ann@example.com not found by SMTP address lookup",
    ],
    ["Gmail", gmail(about), "5.1.1", "There is no account of that name here. Check the address for typos."],
    ["Exim", exim(about), "5.1.1", "unknown user"],
  ])("%s names the mail and says why, and that no one is there", async (_server, raw, code, detail) => {
    const mail = await read(raw);
    expect(new Set(mail?.marks)).toEqual(new Set([mark]));
    expect(mail?.receipt).toEqual({
      what: "bounced",
      eventId: expect.stringMatching(/^mail [0-9a-f]{64}$/),
      at,
      code,
      detail,
      recipients: expect.arrayContaining(["ann@example.com"]),
      suppress: true,
    });
  });

  test.each([
    ["a full mailbox", postfix(about, { status: "5.2.2", answer: "552 5.2.2 Over quota" }), "5.2.2"],
    ["a policy about us", exim(about, "550 5.7.1 Listed as spam"), "5.7.1"],
    ["a server that gives no reason", exim(about, "550 No"), "5.0.0"],
    ["days without an answer", postfix(about, { status: "4.4.1", answer: "connection timed out" }), "4.4.1"],
  ])("a server because of %s blocks no address", async (_why, raw, code) => {
    expect((await read(raw))?.receipt).toMatchObject({ what: "bounced", code });
    expect((await read(raw))?.receipt).not.toHaveProperty("suppress");
  });
});

test("an email that is still being retried is delayed", async () => {
  expect(await read(postfixDelayed(about))).toMatchObject({
    marks: [mark],
    receipt: { what: "delayed", code: "4.4.1" },
  });
});

test("without the returned headers, the envelope ID identifies the email", async () => {
  const raw = postfix({ messageId: "another@maple.example", envelopeId: mark });
  expect((await read(raw))?.marks).toEqual([mark]);
});

test("the address before and the one after an alias are its recipients", async () => {
  const raw = postfix(about).replace(
    /Final-Recipient: .*/,
    "Final-Recipient: rfc822; <Ann@mail.example> (Ann)",
  );
  expect((await read(raw))?.receipt.recipients).toEqual(["ann@example.com", "Ann@mail.example"]);
});

test("identical notifications for two emails are two events", async () => {
  const other = { messageId: `${markOf("secret-1", "8")}@maple.example` };
  const [one, two] = [await read(exim(about)), await read(exim(other))];
  expect(one?.receipt.eventId).not.toBe(two?.receipt.eventId);
});

test.each([
  ["an automatic reply", autoReply(about)],
  ["a report of a successful delivery", postfix(about).replace("Action: failed", "Action: delivered")],
  ["a report without fields", postfix(about).replace(/Reporting-MTA[^]*?\r\n\r\n--/, "\r\n\r\n--")],
  ["no email at all", "\u0000\u0001"],
])("%s says nothing", async (_what, raw) => {
  expect(await read(raw)).toBeNull();
});
