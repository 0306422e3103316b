import { afterEach, expect, test, vi } from "vitest";
import { mintClientKey } from "#web/api/client-key.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a client key is 128 random bits, also where the page is on plain http", () => {
  expect(mintClientKey()).not.toBe(mintClientKey());
  // All that a browser has there.
  vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes.fill(10) });
  expect(mintClientKey()).toBe("0a".repeat(16));
});
