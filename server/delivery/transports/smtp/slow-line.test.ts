import { afterEach, expect, test } from "vitest";
import type { OutgoingMessage } from "../transport.ts";
import { scriptedServer } from "./testing/scripted-server.ts";
import { message, runContent, send, sendOne } from "../testing/sending.ts";
import { transportTo } from "./testing/transport-to.ts";
import { slowServer } from "./testing/slow-server.ts";

/** Large messages on a slow link, where a reply takes as long as everything before it needs to get through. */

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const MB = 2 ** 20;
const file = (megabytes: number) => ({
  name: "plan.pdf",
  type: "application/pdf",
  bytes: Buffer.alloc(megabytes * MB, 7),
});
// All of them take longer than one message may, but each step takes less, even on a busy machine.
const QUICK = { connect: 30_000, greeting: 30_000, message: 1000, idle: 5000 };

/** For tests of the order alone: a busy machine may be slower than the link. */
const PATIENT = { ...QUICK, message: 60_000 };

async function overSlowLine(bytesPerMs: number, connections: number, timeouts = QUICK) {
  const server = await slowServer(bytesPerMs);
  cleanups.push(() => server.close());
  const transport = transportTo(`smtp://127.0.0.1:${server.port}`, { connections, timeouts });
  cleanups.push(() => transport.close());
  return { server, transport };
}

test("attachments arrive over a slow link, once each and few at a time", async () => {
  const { server, transport } = await overSlowLine(20_000, 8);
  const content = runContent({}, [file(3)]);
  const { outcomes } = await send(
    transport,
    Array.from({ length: 8 }, (_, index) => message(index + 1, { content })),
  );
  expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => "accepted"));
  expect(server.taken).toHaveLength(8);
  // Each is over four of the eight megabytes allowed at a time.
  expect(server.most()).toBe(1);
});

test("a short message passes large ones that wait for room", async () => {
  const { server, transport } = await overSlowLine(20_000, 3, PATIENT);
  const long = runContent({}, [file(6)]);
  const longs = [1, 2, 3, 4].map((id) => message(id, { content: long }));
  await Promise.all([send(transport, longs), send(transport, [message(5)])]);
  expect(server.taken).toHaveLength(5);
  expect(server.taken[0]).toBe("tenant5");
});

test("the largest message isn't passed forever by smaller large ones", async () => {
  const { server, transport } = await overSlowLine(20_000, 3, PATIENT);
  const megabytes = [2, 6, 1, 1, 1];
  await send(
    transport,
    megabytes.map((size, index) => message(index + 1, { content: runContent({}, [file(size)]) })),
  );
  expect(server.taken).toHaveLength(5);
  expect(server.taken.slice(0, 2)).toEqual(["tenant1", "tenant2"]);
});

test("a large message reports progress", async () => {
  const { transport } = await overSlowLine(50_000, 1);
  const content = runContent({}, [file(20)]);
  let advanced = 0;
  const outcomes: string[] = [];
  await transport.send(
    [message(1, { content })],
    {
      advanced: () => void (advanced += 1),
      settled: (_message: OutgoingMessage, { kind }) => void outcomes.push(kind),
    },
    new AbortController().signal,
  );
  expect(outcomes).toEqual(["accepted"]);
  expect(advanced).toBeGreaterThan(10);
});

test("a message that broke off before its end certainly did not arrive", async () => {
  const server = await scriptedServer({ content: () => "drop" });
  cleanups.push(() => server.close());
  const transport = transportTo(`smtp://127.0.0.1:${server.port}`, { timeouts: QUICK });
  cleanups.push(() => transport.close());
  const content = runContent({}, [file(20)]);
  expect(await sendOne(transport, { content })).toMatchObject({
    kind: "unavailable",
    code: "connection_lost",
  });
  expect(server.sessions()).toBe(1);
});

test("the time limit grows with the attachments", () => {
  const transport = transportTo("smtp://127.0.0.1:1", { timeouts: QUICK });
  const allowed = (megabytes: number) =>
    transport.timeoutMs(message(1, { content: runContent({}, megabytes > 0 ? [file(megabytes)] : []) }));
  expect(allowed(0)).toBe(1000);
  expect(allowed(6)).toBeGreaterThan(60_000);
});
