import { expect, test } from "vitest";
import { consentSentence } from "#contract/delivery.ts";
import type { ConsentChange } from "#contract/calls/users.ts";
import { latestChange, preferenceRows, whereFrom } from "#web/features/profile/preference-text.ts";

const change = (given: Partial<ConsentChange>): ConsentChange => ({
  channel: "email",
  allowed: false,
  source: "one-click",
  sentence: "One-click unsubscribe in an email",
  at: "2026-11-20T14:00:00.000Z",
  ...given,
});

test("each channel says where it goes, or that no one knows where", () => {
  expect(preferenceRows({ email: "a@example.com", phone: "+14155550123" }).map((row) => row.address)).toEqual(
    ["To a@example.com", "To (415) 555-0123", "In your browser"],
  );
  expect(preferenceRows({ email: null, phone: null }).map((row) => row.address)).toEqual([
    "No email address on file yet",
    "No phone number on file yet",
    "In your browser",
  ]);
});

test("the newest change of a channel is the first of its kind", () => {
  const changes = [change({ channel: "sms" }), change({ allowed: true }), change({})];
  expect(latestChange(changes, "email")).toBe(changes[1]);
  expect(latestChange(changes, "push")).toBeUndefined();
});

test("a change is told to the person whose it is", () => {
  expect(whereFrom(change({ source: "profile", sentence: "In their own profile" }))).toBe("In your profile");
  expect(whereFrom(change({}))).toBe("One-click unsubscribe in an email");
  expect(consentSentence("sms", false)).toBe("You don't get notices by text message.");
  expect(consentSentence("push", true)).toBe(
    "You get notices by web push, in browsers where you turned them on.",
  );
});
