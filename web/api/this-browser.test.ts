import { beforeEach, expect, test, vi } from "vitest";
import { loadSession, signedIn, signedOut } from "#web/api/session.ts";
import { forgetOldDrafts, isShared, rememberPerson, rememberShared } from "#web/api/this-browser.ts";

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  signedOut();
  return () => vi.unstubAllGlobals();
});

const draft = (userId: number, savedAt = "2026-11-20T08:00:00.000Z") =>
  kept.set(`porchlight-draft-${userId}-new:1`, JSON.stringify({ form: {}, clientKey: "k", savedAt }));
const refused = async (code: string) =>
  Promise.resolve(Response.json({ code, message: "Please sign in" }, { status: 401 }));

test.each([
  ["session-ended", ["porchlight-person", "porchlight-draft-17-new:1"]],
  ["signed-out", ["porchlight-person", "porchlight-draft-1-new:1", "porchlight-draft-17-new:1"]],
])("a browser whose session has %s keeps %j", async (code, places) => {
  rememberPerson(1);
  draft(1);
  draft(17);
  vi.stubGlobal("fetch", () => refused(code));
  await loadSession();
  expect([...kept.keys()]).toEqual(places);
});

test("drafts that no one touched for 30 days are deleted, no matter who wrote them; other data stays", () => {
  draft(1, "2026-10-01T08:00:00.000Z");
  draft(2, "2026-11-01T08:00:00.000Z");
  kept.set("porchlight-draft-3-new:1", "not a draft");
  kept.set("ui-theme", "dark");
  forgetOldDrafts(Date.parse("2026-11-02T08:00:00.000Z"));
  expect([...kept.keys()]).toEqual(["porchlight-draft-2-new:1", "ui-theme"]);
});

test("a shared computer is one until someone says otherwise", () => {
  rememberShared(true);
  signedIn({ id: 1, username: "ada", firstName: "Ada", lastName: "Owner", email: null, role: "admin" });
  expect(isShared()).toBe(true);
  rememberShared(false);
  expect(isShared()).toBe(false);
});
