import { expect, test } from "vitest";
import { readPhone } from "#server/features/people/phone.ts";

test.each([
  "(415) 555-0123",
  "415-555-0123",
  "415.555.0123",
  "415 555 0123",
  "4155550123",
  "14155550123",
  "1-415-555-0123",
  "+14155550123",
  "+1 (415) 555-0123",
  "tel:+1-415-555-0123",
  "  415 555 0123 ",
])("%s is the same number", (text) => {
  expect(readPhone(text)).toEqual({ phone: "+14155550123" });
});

test.each(["+44 20 7946 0018", "011 44 20 7946 0018", "00 44 20 7946 0018", "0044 (0)20 7946 0018"])(
  "%s is the same number abroad",
  (text) => {
    expect(readPhone(text)).toEqual({ phone: "+442079460018" });
  },
);

test("example numbers pass, so that sample data can be exported and imported", () => {
  expect(readPhone("+15551234567")).toEqual({ phone: "+15551234567" });
});

test.each([
  ["555-0123", "Phone number is too short. It needs its area code."],
  ["415-555-01234567", "Phone number is too long"],
  ["+999 12345678", "No country has this calling code"],
  ["999-999-9999", "This is not a phone number"],
  ["call the office", "This is not a phone number"],
  ["415-555-0123 or 415-555-0199", "This is not a phone number"],
  ["415-555-0123 x5", "Leave out the extension. Text messages can't reach it"],
  ["1.41556E+10", "A spreadsheet shortened this number. Format its column as text and enter it again."],
])("%s is refused: %s", (text, reason) => {
  expect(readPhone(text)).toEqual({ reason });
});
