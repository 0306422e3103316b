import { describe, expect, test } from "vitest";
import type { Reach } from "#contract/calls/audience.ts";
import { forEachChannel } from "#contract/delivery.ts";
import { filesSentence, reachSentences, reasonPhrase } from "#web/domain/message/reach-text.ts";

const reach = (reached: number, messages: number, nothing: number): Reach => ({
  people: reached + nothing,
  settled: 0,
  homes: null,
  reached,
  messages,
  byChannel: {
    ...forEachChannel(() => ({ willGet: 0, skipped: 0, simulated: true })),
    email: { willGet: reached, skipped: nothing, simulated: false },
  },
  unreachable: { total: nothing, first: [] },
});

describe("who gets it, in words", () => {
  test.each([
    [reach(48, 87, 1), "48 people, 87 messages. 1 person won't get this message."],
    [reach(1, 1, 0), "1 person, 1 message. "],
    [reach(12_400, 24_800, 1200), "12,400 people, 24,800 messages. 1,200 people won't get this message."],
    [{ ...reach(9, 6, 0), homes: 6 }, "9 people, 6 homes: 6 messages. "],
    [reach(0, 0, 2), "0 people, 0 messages. 2 people won't get this message."],
  ])("%#", (state, words) => {
    expect(reachSentences(state).join(" ")).toBe(words);
  });

  test("files beside a channel that cannot carry them are told of, with how many go without", () => {
    const some = { ...reach(18, 34, 0), byChannel: reach(12, 0, 0).byChannel };
    expect(filesSentence([], some)).toBe("");
    expect(filesSentence(["email"], some)).toBe("");
    expect(filesSentence(["email", "sms"], some)).toBe(
      "Attachments are only sent by email. 6 people get the message without them.",
    );
    const perHome = { ...some, homes: 12 };
    expect(filesSentence(["email", "sms"], perHome)).toBe("Attachments are only sent by email.");
    expect(filesSentence(["email", "sms"], reach(1, 1, 0))).toBe("Attachments are only sent by email.");
    expect(filesSentence(["sms"], some)).toBe("Attachments are only sent by email, so no one will get them.");
  });

  test("reasons are short where they are known before sending, and whole sentences otherwise", () => {
    expect(
      reasonPhrase([
        { channel: "email", reason: "no-email", sentence: "No email address on file." },
        { channel: "sms", reason: "opted-out", sentence: "They have turned off text messages." },
        {
          channel: "push",
          reason: "missing-field",
          sentence: "No property/unit is on file, and the message needs it.",
        },
      ]),
    ).toBe("no email, SMS turned off, no property/unit is on file, and the message needs it");
  });
});
