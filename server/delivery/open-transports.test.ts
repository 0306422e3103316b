import { expect, test } from "vitest";
import * as z from "zod";
import { openTransports } from "./open-transports.ts";
import { transportAdapter } from "./transports/adapter.ts";
import type { Transport } from "./transports/transport.ts";

function adapterOf(closed: string[]) {
  return transportAdapter({
    kind: "pigeon",
    label: "Pigeon",
    channels: ["email"],
    simulated: false,
    recovery: "blind",
    settings: z.object({ loft: z.string() }),
    open: ({ loft }): Transport => ({
      concurrency: 1,
      timeoutMs: () => 1000,
      send: async () => {},
      check: async () => ({ ok: true, detail: loft }),
      close: async () => void closed.push(loft),
    }),
  });
}

test("a changed setting opens an account's transport again and closes the one before", async () => {
  const closed: string[] = [];
  const transports = openTransports([], [adapterOf(closed)]);
  const at = (loft: string, id = 1) =>
    transports.of({ id, kind: "pigeon", channel: "email", environmentKey: null, settings: { loft } })!;
  const [north, other] = [at("north"), at("other", 2)];
  expect(at("north")).toBe(north);
  const south = at("south");
  expect(await south.check()).toEqual({ ok: true, detail: "south" });
  expect(closed).toEqual(["north"]);
  expect(at("other", 2)).toBe(other);
  expect(() =>
    transports.of({ id: 1, kind: "pigeon", channel: "email", environmentKey: null, settings: {} }),
  ).toThrow(z.ZodError);
  expect(at("south")).toBe(south);
  await transports.close();
  expect(closed).toEqual(["north", "south", "other"]);
});

test("an account of the environment is as this process was started with it", () => {
  const adapter = adapterOf([]);
  const transports = openTransports(
    [{ key: "k", adapter, channel: "email", name: "Loft", weight: 1, settings: { loft: "mine" } }],
    [],
  );
  const given = (settings: Record<string, unknown>) =>
    transports.of({ id: 1, kind: "pigeon", channel: "email", environmentKey: "k", settings });
  const first = given({});
  expect(first).not.toBeNull();
  expect(given({ loft: "another process's" })).toBe(first);
});
