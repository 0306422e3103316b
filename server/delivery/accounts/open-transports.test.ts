import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import * as z from "zod";
import { SecretBox } from "#server/db/secret-box.ts";
import { sealSecrets } from "./account-secrets.ts";
import { openTransports } from "./open-transports.ts";
import { transportAdapter, type OpenContext } from "../transports/adapter.ts";
import { message } from "../transports/testing/sending.ts";
import type { Outcome, Transport } from "../transports/transport.ts";

function adapterOf(closed: string[]) {
  return transportAdapter({
    kind: "pigeon",
    label: "Pigeon",
    channels: ["email"],
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
    transports.of({
      id,
      kind: "pigeon",
      channel: "email",
      environmentKey: null,
      settings: { loft },
      secrets: {},
      webhookKey: "k",
    })!;
  const [north, other] = [at("north"), at("other", 2)];
  expect(at("north")).toBe(north);
  const south = at("south");
  expect(await south.check()).toEqual({ ok: true, detail: "south" });
  expect(closed).toEqual(["north"]);
  expect(at("other", 2)).toBe(other);
  await transports.close();
  expect(closed).toEqual(["north", "south", "other"]);
});

/** What its worker and a test of the connection hear of an account that cannot be opened. */
async function reasonOf(transport: Transport): Promise<string> {
  const outcomes: Outcome[] = [];
  const left: unknown[] = [];
  await transport.send(
    [message(1), message(2)],
    { settled: (_, outcome) => void outcomes.push(outcome), left: (_, because) => void left.push(because) },
    new AbortController().signal,
  );
  expect(outcomes).toMatchObject([{ kind: "misconfigured" }]);
  expect(left).toEqual(outcomes);
  const check = await transport.check();
  expect(check).toMatchObject({ ok: false, of: "misconfigured", detail: outcomes[0]!.detail });
  return check.detail;
}

const stored = { id: 1, kind: "pigeon", channel: "email", environmentKey: null, webhookKey: "k" } as const;

test("an account whose settings are incomplete pauses and says what is missing", async () => {
  const transport = openTransports([], [adapterOf([])]).of({ ...stored, settings: {}, secrets: {} })!;
  expect(await reasonOf(transport)).toMatch(/^The settings are incomplete: /);
});

test("a secret reaches the transport; without its key the account pauses and says what to do", async () => {
  const box = new SecretBox([randomBytes(32)]);
  const account = { ...stored, settings: {}, secrets: sealSecrets(box, 1, { loft: "north" }) };
  const withKey = openTransports([], [adapterOf([])], { secrets: box }).of(account)!;
  expect(await withKey.check()).toEqual({ ok: true, detail: "north" });

  const without = [undefined, { secrets: new SecretBox([randomBytes(32)]) }];
  for (const options of without) {
    const transport = openTransports([], [adapterOf([])], options).of(account)!;
    expect(await reasonOf(transport)).toContain("enter the password or key again");
  }
  const moved = openTransports([], [adapterOf([])], { secrets: box }).of({ ...account, id: 2 })!;
  expect(await reasonOf(moved)).toContain("enter the password or key again");
});

test("a provider's API is where the environment says, and a typed host may not be private", async () => {
  const opened: unknown[] = [];
  const adapter = {
    ...adapterOf([]),
    api: { url: "https://pigeon.example", variable: "PIGEON_API_URL" },
    open: (_: unknown, context: OpenContext) => {
      opened.push([context.apiUrl, context.guard === null]);
      return adapterOf([]).open({ loft: "" }, context);
    },
  };
  const console = { ...stored, settings: {}, secrets: {} };
  openTransports([], [adapter]).of(console);
  const apiUrls = { PIGEON_API_URL: "http://127.0.0.1:9" };
  const environment = { key: "k", adapter, channel: "email", name: "", weight: 1, settings: {} } as const;
  const moved = openTransports([environment], [adapter], { apiUrls });
  moved.of(console);
  moved.of({ ...console, id: 2, environmentKey: "k" });
  expect(opened).toEqual([
    ["https://pigeon.example", false],
    ["http://127.0.0.1:9", false],
    ["http://127.0.0.1:9", true],
  ]);
});

test("an account of the environment is as this process was started with it", () => {
  const adapter = adapterOf([]);
  const transports = openTransports(
    [{ key: "k", adapter, channel: "email", name: "Loft", weight: 1, settings: { loft: "mine" } }],
    [],
  );
  const given = (settings: Record<string, unknown>) =>
    transports.of({ ...stored, environmentKey: "k", settings, secrets: {} });
  const first = given({});
  expect(first).not.toBeNull();
  expect(given({ loft: "another process's" })).toBe(first);
});
