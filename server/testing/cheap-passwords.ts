import { expect, vi } from "vitest";

/** A password's hash takes 40 ms on purpose. Tests check that the right cost is asked for, and then spend next to none. */
vi.mock(import("@node-rs/argon2"), async (original) => {
  const argon2 = await original();
  const cheap = (asked: object | null | undefined) => {
    // OWASP's first choice.
    expect(asked).toMatchObject({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    return { ...asked, memoryCost: 8, timeCost: 1 };
  };
  return {
    ...argon2,
    hash: (password, asked) => argon2.hash(password, cheap(asked)),
    hashRaw: (password, asked) => argon2.hashRaw(password, cheap(asked)),
  };
});
