import { expect, test } from "vitest";
import { nationalPhone } from "#web/domain/phone-number.ts";

test.each([
  ["+14155550123", "(415) 555-0123"],
  ["+442079460018", "+44 207 946 0018"],
  ["+4930123456", "+49 301 234 56"],
  ["+35312345678", "+353 123 456 78"],
  ["+79161234567", "+7 916 123 4567"],
  ["+1415555012", "+1 415 555 012"],
  ["12", "12"],
])("%s reads %s", (e164, shown) => {
  expect(nationalPhone(e164)).toBe(shown);
});
