import { describe, expect, test } from "vitest";
import type { Reach } from "#contract/audience.ts";
import { mintClientKey } from "#web/features/compose/client-key.ts";
import { channelMeaning, channels } from "#contract/delivery.ts";
import { plainSms } from "#contract/plain-sms.ts";
import { filesSentence, reachSentences, reasonPhrase } from "#web/features/compose/reach-words.ts";
import { failureWords, offlineWords, successWords } from "#web/features/compose/send-outcome.ts";
import { channelLook } from "#web/domain/channel.tsx";

const reach = (reached: number, messages: number, nothing: number): Reach => ({
  people: reached + nothing,
  reached,
  messages,
  byChannel: {
    email: { willGet: reached, skipped: nothing, simulated: false },
    sms: { willGet: 0, skipped: 0, simulated: true },
    push: { willGet: 0, skipped: 0, simulated: true },
  },
  unreachable: { total: nothing, first: [] },
});

describe("who gets it, in words", () => {
  test.each([
    [reach(48, 87, 1), "48 people, 87 messages. 1 person gets nothing."],
    [reach(1, 1, 0), "1 person, 1 message. "],
    [reach(12_400, 24_800, 1200), "12,400 people, 24,800 messages. 1,200 people get nothing."],
    [reach(0, 0, 2), "0 people, 0 messages. 2 people get nothing."],
  ])("%#", (state, words) => {
    expect(reachSentences(state).join(" ")).toBe(words);
  });

  test("files beside a channel that cannot carry them are told of, with how many go without", () => {
    const some = { ...reach(18, 34, 0), byChannel: reach(12, 0, 0).byChannel };
    expect(filesSentence([], some)).toBe("");
    expect(filesSentence(["email"], some)).toBe("");
    expect(filesSentence(["email", "sms"], some)).toBe(
      "Files go with email only. 6 people get the message without them.",
    );
    expect(filesSentence(["email", "sms"], reach(1, 1, 0))).toBe("Files go with email only.");
    expect(filesSentence(["sms"], some)).toBe("Files go with email only: as it stands nobody gets them.");
  });

  test("reasons are short where they are known before sending, and whole sentences otherwise", () => {
    expect(
      reasonPhrase([
        { channel: "email", reason: "no-email", sentence: "No email address is known." },
        { channel: "sms", reason: "opted-out", sentence: "This channel is off for them." },
        {
          channel: "push",
          reason: "missing-field",
          sentence: "The message uses {{unit}}, which is not known.",
        },
      ]),
    ).toBe("no email, SMS is off for them, the message uses {{unit}}, which is not known");
  });
});

describe("what is said after sending", () => {
  test("the toasts are the specification's", () => {
    expect(successWords("immediate")).toEqual({
      title: "Notification Sent",
      description: "Your notification has been sent successfully.",
    });
    for (const schedule of ["later", "recurring"] as const) {
      expect(successWords(schedule)).toEqual({
        title: "Notification Scheduled",
        description: "Your notification has been scheduled successfully.",
      });
    }
    expect(failureWords(new Error("422: Choose again."))).toEqual({
      title: "Error Sending Notification",
      description: "422: Choose again.",
      variant: "destructive",
    });
    expect(failureWords(undefined).description).toBe("Something went wrong");
  });

  test("offline it says what is kept and what will happen, and nothing that is not so", () => {
    expect(offlineWords.kept("Water shut-off").description).toMatch(
      /“Water shut-off” is kept on this computer/,
    );
    expect(offlineWords.full.description).toMatch(/Nothing was sent/);
  });
});

test("plain quotes cost nothing and change no letter", () => {
  expect(plainSms("It’s “here” – at 5 pm… naïve 🙂")).toBe('It\'s "here" - at 5 pm... naïve 🙂');
});

test("a client key is 128 random bits, also where the page is on plain http", () => {
  const plainHttp = { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => bytes.fill(10) };
  expect(mintClientKey(plainHttp)).toBe("0a".repeat(16));
  expect(mintClientKey()).not.toBe(mintClientKey());
});

// What draws a channel knows no contract, so it cannot take the word from there.
test("a channel has one name, whether it is drawn or written", () => {
  expect(channels.map((channel) => channelLook[channel].label)).toEqual(
    channels.map((channel) => channelMeaning[channel].label),
  );
});
