import { expect, test } from "vitest";
import { strayClicks } from "#web/ui/dialog/stray-clicks.ts";

const row = { closest: () => null };

test.each([
  ["the second click, after the first one closed its dialog", { open: false, detail: 2 }, true],
  ["the third one as well", { open: false, detail: 3 }, true],
  ["a click of its own after that", { open: false, detail: 1 }, false],
  ["the keyboard, which counts no clicks", { open: false, detail: 0 }, false],
  ["the second click while the dialog is open", { open: true, detail: 2 }, false],
])("%s", (_, { open, detail }, expected) => {
  const isStray = strayClicks();
  const dialog = { isConnected: true };
  expect(isStray({ detail: 1, target: { closest: () => dialog } })).toBe(false);
  dialog.isConnected = open;
  expect(isStray({ detail, target: row })).toBe(expected);
});

test("a double click on the page itself", () => {
  const isStray = strayClicks();
  expect([1, 2].map((detail) => isStray({ detail, target: row }))).toEqual([false, false]);
});
