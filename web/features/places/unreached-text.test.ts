import { expect, test } from "vitest";
import { fixOf } from "#web/features/places/unreached-text.ts";

const blocked = { address: "ann@example.com", kind: "bounce", optedOut: false, words: null } as const;

test("what helps someone who can't be reached leads to the field, or to the block", () => {
  expect(fixOf({ channel: "email", reason: "no-email", blocked: null })).toEqual({
    edit: { verb: "Add", field: "email" },
  });
  expect(fixOf({ channel: "sms", reason: "invalid-phone", blocked: null })).toEqual({
    edit: { verb: "Correct", field: "phone" },
  });
  expect(fixOf({ channel: "email", reason: "suppressed", blocked })).toEqual({
    edit: { verb: "Change", field: "email" },
    unblock: true,
  });
  expect(fixOf({ channel: "push", reason: "suppressed", blocked })).toEqual({ unblock: true });
});

test("an opt-out is the recipient's, unless staff still have to say whether it was one", () => {
  const optedOut = { ...blocked, kind: "unsubscribe", optedOut: true } as const;
  expect(fixOf({ channel: "email", reason: "opted-out", blocked: optedOut })).toEqual({
    advice: "Only they can turn it on again.",
  });
  expect(
    fixOf({ channel: "sms", reason: "opted-out", blocked: { ...optedOut, words: "stop by later" } }),
  ).toEqual({ unblock: true });
});
