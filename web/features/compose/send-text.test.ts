import { expect, test } from "vitest";
import { readKey } from "#web/api/use-read.ts";
import { offlineText, successText } from "#web/features/compose/send-text.ts";
import { changed } from "#web/features/compose/use-send.ts";

// spec 248
test("a send refreshes the list and the dashboard's recent ones", () => {
  expect(changed.map((endpoint) => readKey(endpoint))).toEqual([
    ["/api/notifications"],
    ["/api/notifications/recent/{count}"],
  ]);
});

// spec 257, 258
test("the toasts are the specification's", () => {
  expect(successText("immediate", false)).toEqual({
    title: "Notification Sent",
    description: "Your notification has been sent successfully.",
  });
  for (const schedule of ["later", "recurring"] as const) {
    expect(successText(schedule, true)).toEqual({
      title: "Notification Scheduled",
      description: "Your notification has been scheduled successfully.",
    });
  }
});

test("what only went to the Sandbox is not told as if it had been sent", () => {
  expect(successText("immediate", true)).toEqual({
    title: "Notification Sent",
    description: "Sent to the Sandbox. No one received it.",
  });
});

test("offline it says what is kept and what will happen, and nothing that is not so", () => {
  expect(offlineText.kept("Water shut-off").description).toMatch(/“Water shut-off” is saved in this browser/);
  expect(offlineText.full.description).toMatch(/Nothing was sent/);
});
