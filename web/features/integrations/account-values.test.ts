import { expect, test } from "vitest";
import { accountDetail } from "#web/features/integrations/account-values.ts";

const account = { provider: "Twilio", source: "console", name: "Office texts", weight: 1 } as const;

test.each([
  ["+14155550123", "Twilio · (415) 555-0123"],
  ["+442079460018", "Twilio · +44 207 946 0018"],
  ["12345", "Twilio · 12345"],
  ["MG0123456789abcdef0123456789abcdef", "Twilio · MG0123456789abcdef0123456789abcdef"],
])("an account's own number %s is written as people's are", (fromNumber, detail) => {
  expect(accountDetail({ ...account, settings: { fromNumber } })).toBe(detail);
});
