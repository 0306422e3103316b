import { expect, test } from "vitest";
import { nationalPhone } from "#web/ui/phone-number.ts";

test.each([
  ["+14155550123", "(415) 555-0123"],
  ["+442079460018", "+442079460018"],
  ["+1415555012", "+1415555012"],
])("%s reads %s", (e164, shown) => {
  expect(nationalPhone(e164)).toBe(shown);
});
