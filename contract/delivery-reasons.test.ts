import { expect, test } from "vitest";
import { noneOnFile, reasonNext, reasonSentence } from "#contract/delivery-reasons.ts";

test("names what the channel sends to, because an address alone could be someone's home", () => {
  expect(reasonSentence("suppressed", "sms")).toMatch(/^This phone number is blocked/);
  expect(reasonSentence("same-address", "sms", "Ann Ash")).toBe("Covered by Ann Ash's text.");
  expect(noneOnFile(["email", "sms"])).toBe("No email address or phone number on file.");
  expect(reasonNext("no-such-address", "sms")).toBe("Correct the phone number, then retry.");
  expect(reasonNext("no-such-address", "email")).toBe("Correct the email address, then retry.");
});
