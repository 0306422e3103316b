import { describe, expect, test } from "vitest";
import type { UnseenFailures } from "#contract/calls/shell.ts";
import { shownAt } from "#web/shell/shell-state.ts";

const failures = (notifications: number, over: Partial<UnseenFailures> = {}): UnseenFailures => ({
  notifications,
  onlyNotification: null,
  reach: notifications,
  schedules: 0,
  replies: 0,
  firstReply: null,
  asOf: "2026-11-24T14:00:00Z",
  ...over,
});

describe("new failures count as seen", () => {
  test("on the list of failures, unless it is searched or filtered further", () => {
    const list = (search: object) =>
      shownAt("/notifications", { status: "Failures", ...search }, failures(2));
    expect(list({})).toBe("notifications");
    const narrowed = [
      { q: "roof" },
      { channel: "sms" },
      { time: "today" },
      { page: 2 },
      { status: "Failed" },
    ];
    for (const search of narrowed) expect(list(search)).toBeUndefined();
  });

  test("once the list is read as far as they reach", () => {
    const unseen = failures(2, { reach: 26 });
    const page = (page: number) => shownAt("/notifications", { status: "Failures", page }, unseen);
    expect([1, 2, 3].map(page)).toEqual([undefined, "notifications", undefined]);
  });

  test("on the notification's own page if it is the only one", () => {
    const only = failures(1, { onlyNotification: 7 });
    expect(shownAt("/notifications/7", {}, only)).toBe("notifications");
    expect(shownAt("/notifications/8", {}, only)).toBeUndefined();
  });
});
