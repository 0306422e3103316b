import { expect, test } from "vitest";
import { plainSms } from "#contract/text/plain-sms.ts";

test("plain quotes are free and change no letters", () => {
  expect(plainSms("It’s “here” – at 5 pm… naïve 🙂")).toBe('It\'s "here" - at 5 pm... naïve 🙂');
});
