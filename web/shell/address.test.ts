import { afterEach, expect, test, vi } from "vitest";
import { confirmAddressPath } from "#contract/calls/auth.ts";
import { setPasswordPath } from "#contract/calls/profile.ts";
import type { Session } from "#web/api/session.ts";
import { alignAddress, destination, leaveForGood, oneTimeLink, signInAddress } from "#web/shell/address.ts";

test.each([
  ["/notifications?page=2", "/notifications?page=2"],
  ["/notifications/7#person", "/notifications/7#person"],
  ["", "/"],
  // Other origins in every spelling, and loops.
  ["https://evil.example/", "/"],
  ["//evil.example/", "/"],
  ["/\\evil.example/", "/"],
  ["/\t/evil.example/", "/"],
  ["/.//evil.example/", "/"],
  ["/x/..//evil.example/", "/"],
  ["/notifications\\..\\x", "/"],
  ["/notifications\r\nx", "/"],
  ["javascript:alert(1)", "/"],
  ["notifications", "/"],
  ["/auth?next=/auth", "/"],
])("next=%s leads to %s", (next, expected) => {
  expect(destination(`?${new URLSearchParams({ next })}`)).toBe(expected);
});

test("the sign-in URL keeps the way back", () => {
  const place = "/notifications?q=a%26b&page=2#top";
  expect(destination(new URL(signInAddress(place), "http://x").search)).toBe(place);
  expect(signInAddress("/")).toBe("/auth");
});

const signedIn: Session = {
  state: "signed-in",
  serial: 1,
  user: { id: 1, username: "ada", firstName: "Ada", lastName: "Owner", email: null, role: "admin" },
};

function at(path: string) {
  const url = new URL(path, "http://console.test");
  const replaceState = vi.fn<History["replaceState"]>();
  vi.stubGlobal("window", { location: url, history: { replaceState } });
  return () => replaceState.mock.calls.map((call) => call[2]);
}
afterEach(() => void vi.unstubAllGlobals());

// spec 22
test("a signed-out visitor goes to /auth and can come back", () => {
  const moves = at("/notifications?page=2");
  alignAddress({ state: "signed-out" });
  expect(moves()).toEqual(["/auth?next=%2Fnotifications%3Fpage%3D2"]);
});

test("a logout keeps no way back", () => {
  const moves = at("/notifications");
  leaveForGood();
  alignAddress({ state: "signed-out" });
  alignAddress({ state: "signed-out" });
  expect(moves()).toEqual(["/auth", "/auth?next=%2Fnotifications"]);
});

test("a signed-in visitor at /auth is redirected, and nothing else changes the URL", () => {
  const atAuth = at("/auth?next=%2Fhelp");
  alignAddress(signedIn);
  expect(atAuth()).toEqual(["/help"]);
  const elsewhere = at("/help");
  alignAddress(signedIn);
  alignAddress({ state: "loading" });
  alignAddress({ state: "unreachable" });
  expect(elsewhere()).toEqual([]);
});

test("recognizes the URLs of emailed one-time links and leaves them alone", () => {
  const token = "tHe-token_1";
  const [path, confirmPath] = [setPasswordPath(token), confirmAddressPath(token)];
  expect([path, confirmPath].map(oneTimeLink)).toEqual([
    { purpose: "set-password", token },
    { purpose: "confirm-email", token },
  ]);
  expect(["/set-password", "/confirm-email/", "/x/set-password/t", "/auth"].map(oneTimeLink)).toEqual(
    Array.from({ length: 4 }),
  );
  for (const place of [path, confirmPath]) {
    const moves = at(place);
    alignAddress({ state: "signed-out" });
    alignAddress(signedIn);
    expect(moves()).toEqual([]);
  }
});
