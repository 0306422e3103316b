import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { OutgoingMessage } from "../transport.ts";
import { scriptedServer, type Script } from "./testing/scripted-server.ts";
import { message, send } from "../testing/sending.ts";
import { transportTo } from "./testing/transport-to.ts";
import { publicHostName } from "../loopback.ts";
import type { Timeouts } from "./open-connection.ts";
import { smtpSettings } from "./settings.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const QUICK: Timeouts = { connect: 1000, greeting: 300, message: 1000, idle: 5000 };

async function against(script: Script, connections: number, timeouts: Partial<Timeouts> = {}) {
  const server = await scriptedServer(script);
  cleanups.push(() => server.close());
  const transport = transportTo(`smtp://127.0.0.1:${server.port}`, {
    connections,
    timeouts: { ...QUICK, ...timeouts },
  });
  cleanups.push(() => transport.close());
  return { server, transport };
}

const messages = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => message(first + index));
const kinds = (outcomes: Map<number, { kind: string }>) => [...outcomes.values()].map(({ kind }) => kind);
const open = new AbortController().signal;

describe("EHLO", () => {
  test.each([
    [{ ehloName: "mx.elm.example", hostName: "console.maple.example" }, "mx.elm.example"],
    [{ ehloName: "[192.0.2.7]" }, "[192.0.2.7]"],
    [{ hostName: "console.maple.example" }, "console.maple.example"],
    [{}, "maple.example"],
  ])("with %j introduces us as %s", async (options, name) => {
    const server = await scriptedServer({});
    cleanups.push(() => server.close());
    const transport = transportTo(`smtp://127.0.0.1:${server.port}`, options);
    cleanups.push(() => transport.close());
    expect(await transport.check()).toMatchObject({ ok: true });
    expect(server.commands[0]).toBe(`1 EHLO ${name}`);
  });

  test.each(["a b", "x\r\nQUIT", "-x", "[evil]"])("%j is no name", (ehloName) => {
    expect(smtpSettings.shape.ehloName.safeParse(ehloName).success).toBe(false);
  });

  test.each([
    ["https://console.maple.example", "console.maple.example"],
    ["http://127.0.0.1:3000", undefined],
    ["http://localhost:3000", undefined],
    ["http://192.0.2.7", undefined],
    ["http://[2001:db8::7]", undefined],
  ])("at %s our host's name is %s", (url, name) => {
    expect(publicHostName(new URL(url))).toBe(name);
  });
});

describe("connections", () => {
  test("don't exceed the limit, and are reused by later calls", async () => {
    const { server, transport } = await against({}, 3);
    await send(transport, messages(50));
    await send(transport, messages(50, 51));
    expect(server.taken).toHaveLength(100);
    expect(server.sessions()).toBe(3);
  });

  test("don't outnumber the messages", async () => {
    const { server, transport } = await against({}, 5);
    await send(transport, messages(2));
    expect(server.sessions()).toBe(2);
  });

  test("are shared by concurrent calls", async () => {
    const { server, transport } = await against({}, 2);
    const [one, two] = await Promise.all([send(transport, messages(20)), send(transport, messages(20, 21))]);
    expect([...one.outcomes.keys()].sort((a, b) => a - b)).toEqual(
      messages(20).map(({ deliveryId }) => deliveryId),
    );
    expect(two.outcomes.size).toBe(20);
    expect(server.sessions()).toBe(2);
  });

  test("are reset after a refusal and carry the next message", async () => {
    const script = { rcpt: (line: string) => (line.includes("tenant2@") ? "550 5.1.1 none" : "250 ok") };
    const { server, transport } = await against(script, 1);
    const { outcomes } = await send(transport, messages(3));
    expect(kinds(outcomes)).toEqual(["accepted", "refused", "accepted"]);
    expect(server.sessions()).toBe(1);
    expect(server.commands.filter((line) => line === "1 RSET")).toHaveLength(1);
  });

  test("send QUIT when idle for a while", async () => {
    const { server, transport } = await against({}, 1, { idle: 30 });
    await send(transport, messages(1));
    await expect.poll(() => server.commands.at(-1)).toBe("1 QUIT");
    await send(transport, messages(1));
    expect(server.sessions()).toBe(2);
  });

  test("that the server closed in the meantime cost no attempt", async () => {
    const { server, transport } = await against({}, 1);
    await send(transport, messages(1));
    server.drop();
    expect(kinds((await send(transport, messages(3, 2))).outcomes)).toEqual([
      "accepted",
      "accepted",
      "accepted",
    ]);
    expect(server.sessions()).toBe(2);
  });

  test.each(["421 4.7.0 enough for one session", "drop"])(
    "that the server closes after every second message (%s) are replaced without loss or duplicates",
    async (reply) => {
      const carried = new Map<number, number>();
      const mail = (_line: string, session: number) => {
        carried.set(session, (carried.get(session) ?? 0) + 1);
        return carried.get(session)! > 2 ? reply : "250 ok";
      };
      const { server, transport } = await against({ mail }, 1);
      const { outcomes } = await send(transport, messages(7));
      expect(kinds(outcomes)).toEqual(Array.from({ length: 7 }, () => "accepted"));
      expect(server.taken).toHaveLength(7);
      expect(server.sessions()).toBe(4);
    },
  );

  test("that took all of a message's time to replace leave it none, and not less than none", async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => void warnings.push(warning);
    process.on("warning", listen);
    let carried = 0;
    let late = 0;
    const clock = performance.now.bind(performance);
    const now = vi.spyOn(performance, "now").mockImplementation(() => clock() + late);
    const { transport } = await against(
      {
        mail: (_line, session) => (session === 1 && (carried += 1) > 1 ? "drop" : "250 ok"),
        ehlo(session) {
          // A busy process hears of it this late.
          if (session === 2) late = 60_000;
          return "250 test";
        },
        rcpt: (_line, session) => (session === 2 ? "silence" : "250 ok"),
      },
      1,
    );
    const { outcomes } = await send(transport, messages(2));
    expect([...outcomes.values()]).toMatchObject([
      { kind: "accepted" },
      { kind: "unavailable", code: "timeout" },
    ]);
    await setImmediate();
    process.off("warning", listen);
    now.mockRestore();
    expect(warnings).toEqual([]);
  });

  test("that broke after the content began are not replaced: nothing is sent twice", async () => {
    const end = (_content: string, session: number) => (session === 1 ? "drop" : "250 ok");
    const { server, transport } = await against({ end }, 1);
    const { outcomes } = await send(transport, messages(3));
    expect(kinds(outcomes)).toEqual(["uncertain", "accepted", "accepted"]);
    expect(server.taken).toHaveLength(2);
  });

  test("announce the next message behind a content, and begin it only once that is answered", async () => {
    let heard = "";
    const ANNOUNCED = "250 ok\r\n250 ok\r\n354 go on\r\n";
    const clients: Socket[] = [];
    const server = createServer((client) => {
      clients.push(client);
      client.on("data", (chunk: Buffer) => {
        heard += chunk.toString();
        if (heard.startsWith("EHLO") && heard.endsWith("\r\n") && !heard.includes("MAIL")) {
          client.write("250-test\r\n250 PIPELINING\r\n");
        } else if (heard.split("DATA\r\n").length === 2 && heard.endsWith("DATA\r\n")) {
          client.write(ANNOUNCED);
        } else if (heard.split("\r\n.\r\n").length === 3) client.write("250 taken\r\n");
      });
      client.write("220 test\r\n");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const transport = transportTo(`smtp://127.0.0.1:${port}`, { connections: 1 });
    const begun: number[] = [];
    const settled: string[] = [];
    const sending = transport.send(
      messages(2),
      {
        begun: ({ deliveryId }: OutgoingMessage) => void begun.push(deliveryId),
        settled: (_message, { kind }) => void settled.push(kind),
      },
      open,
    );
    await expect.poll(() => heard).toMatch(/\r\n\.\r\nMAIL FROM:.*\r\nRCPT TO:<tenant2@.*\r\nDATA\r\n$/);
    expect(begun).toEqual([1]);
    clients[0]?.write(`250 taken\r\n${ANNOUNCED}`);
    await sending;
    expect([begun, settled]).toEqual([
      [1, 2],
      ["accepted", "accepted"],
    ]);
    clients[0]?.destroy();
    await transport.close();
    server.close();
  });

  test("work in a smaller number if the server allows no more", async () => {
    const greeting = (session: number) => (session > 2 ? "421 4.7.0 too many connections" : "220 hi");
    const { server, transport } = await against({ greeting }, 5);
    const first = await send(transport, messages(30));
    expect(new Set(kinds(first.outcomes))).toEqual(new Set(["accepted"]));
    const tried = server.sessions();
    await send(transport, messages(30, 31));
    expect(server.taken).toHaveLength(60);
    expect(server.sessions()).toBe(tried);
  });
});

describe("account-wide failures", () => {
  test.each<[string, Script]>([
    ["misconfigured", { mail: () => "530 5.7.0 log in" }],
    ["throttled", { mail: () => "454 4.7.0 slow down" }],
    ["throttled", { greeting: () => "421 4.7.0 no" }],
    ["misconfigured", { greeting: () => "554 5.7.1 blocked" }],
    ["unavailable", { greeting: () => "drop" }],
  ])("%s: the other messages are left alone", async (kind, script) => {
    const { transport } = await against(script, 1);
    const { outcomes, begun } = await send(transport, messages(10));
    expect(kinds(outcomes)).toEqual([kind]);
    expect(begun.length).toBeLessThanOrEqual(1);
  });

  test("the remaining messages are reported at once, each with the outcome that caused it", async () => {
    const slow = "tenant2@";
    const { server, transport } = await against(
      {
        mail: () => "530 5.7.0 log in",
        greeting: (session) => (session === 1 ? "220 hi" : "silence"),
      },
      2,
      { greeting: 30_000, connect: 30_000 },
    );
    const left: [number, string | undefined][] = [];
    const progress = {
      settled: () => undefined,
      left: ({ deliveryId }: OutgoingMessage, because?: { kind: string }) =>
        void left.push([deliveryId, because?.kind]),
    };
    const sending = transport.send(messages(5), progress, open);
    await expect.poll(() => left).toEqual([3, 4, 5].map((id) => [id, "misconfigured"]));
    expect(server.commands.some((line) => line.includes(slow))).toBe(false);
    server.drop();
    await sending;
  });

  test("with many connections, a dead server costs one attempt", async () => {
    const { transport } = await against({ greeting: () => "drop" }, 5);
    const { outcomes, begun } = await send(transport, messages(100));
    expect(kinds(outcomes)).toEqual(["unavailable"]);
    expect(begun).toEqual([]);
  });
});

describe("a throttling reply to one message", () => {
  const slow = (line: string) => (line.includes("slow") ? "421 4.7.0 slow down" : "250 ok");
  const to = (...addresses: string[]) =>
    addresses.map((name, index) => message(index + 1, { address: `${name}@example.com` }));

  test("affects only its recipient: all others go out", async () => {
    const { server, transport } = await against({ rcpt: slow }, 1);
    const { outcomes } = await send(transport, to("slow1", "slow1", "ann", "slow2", "slow3", "bob", "slow1"));
    expect(kinds(outcomes)).toEqual([
      "unavailable",
      "unavailable",
      "accepted",
      "unavailable",
      "unavailable",
      "accepted",
      "unavailable",
    ]);
    expect(server.taken).toHaveLength(2);
  });

  test("counts as a rate limit after three different recipients in a row", async () => {
    const { transport } = await against({ rcpt: slow }, 1);
    const { outcomes } = await send(transport, to("slow1", "slow2", "slow3", "ann"));
    expect(kinds(outcomes)).toEqual(["unavailable", "unavailable", "throttled"]);
    expect(kinds((await send(transport, to("ann", "slow4"))).outcomes)).toEqual(["accepted", "unavailable"]);
  });
});

describe("abort and close", () => {
  test("after an abort, messages that have begun finish and no other begins", async () => {
    const abort = new AbortController();
    const { server, transport } = await against({}, 2);
    const settled: number[] = [];
    const progress = {
      begun: ({ deliveryId }: OutgoingMessage) => (deliveryId === 4 ? abort.abort() : undefined),
      settled: ({ deliveryId }: OutgoingMessage) => void settled.push(deliveryId),
    };
    await transport.send(messages(50), progress, abort.signal);
    expect(settled.length).toBeLessThanOrEqual(5);
    expect(server.taken).toHaveLength(settled.length);
    expect((await send(transport, messages(1), abort.signal)).outcomes.size).toBe(0);
    expect((await send(transport, messages(1))).outcomes.size).toBe(1);
  });

  test("an abort ends only its own call", async () => {
    const abort = new AbortController();
    const { transport } = await against({}, 1);
    const other = send(transport, messages(5, 100));
    const one = send(transport, messages(5), abort.signal);
    abort.abort();
    expect((await one).outcomes.size).toBe(0);
    expect((await other).outcomes.size).toBe(5);
  });

  test("close lets messages that have begun finish, leaves the rest and sends QUIT", async () => {
    const { server, transport } = await against({}, 1);
    let closed: Promise<void> | undefined;
    const settled: string[] = [];
    const progress = {
      begun: () => {
        closed = transport.close();
      },
      settled: (_message: OutgoingMessage, { kind }: { kind: string }) => void settled.push(kind),
    };
    await transport.send(messages(10), progress, open);
    await closed;
    expect(settled).toEqual(["accepted"]);
    expect(server.commands.at(-1)).toBe("1 QUIT");
    expect((await send(transport, messages(1))).outcomes.size).toBe(0);
  });
});

describe("permission", () => {
  const settle = (into: number[]) => ({
    settled: ({ deliveryId }: OutgoingMessage) => void into.push(deliveryId),
  });

  test("is requested with the envelope, and the content waits for it, while other connections continue", async () => {
    const { server, transport } = await against({}, 2);
    let permit: (() => void) | undefined;
    const begun = ({ deliveryId }: OutgoingMessage) =>
      deliveryId === 1 ? new Promise<void>((resolve) => (permit = resolve)) : undefined;
    const settled: number[] = [];
    const sending = transport.send(messages(10), { begun, ...settle(settled) }, open);
    await expect.poll(() => server.taken.length).toBe(9);
    expect(server.commands.some((line) => line.includes("tenant1@"))).toBe(true);
    expect(settled).not.toContain(1);
    permit?.();
    await sending;
    expect(server.taken).toHaveLength(10);
  });

  test.each<[string, () => boolean | Promise<boolean>]>([
    ["at once", () => false],
    ["late", () => Promise.resolve(false)],
  ])("refused %s: the message is left alone, the others go", async (_when, refuse) => {
    const { server, transport } = await against({}, 1);
    const settled: number[] = [];
    const begun = ({ deliveryId }: OutgoingMessage) => (deliveryId === 2 ? refuse() : true);
    await transport.send(messages(3), { begun, ...settle(settled) }, open);
    expect(settled).toEqual([1, 3]);
    expect(server.taken.some((mail) => mail.includes("tenant2@"))).toBe(false);
  });

  test("denied late, for a recipient the server refuses: still left alone", async () => {
    const { transport } = await against({ rcpt: () => "550 5.1.1 none" }, 1);
    const settled: number[] = [];
    await transport.send(messages(1), { begun: () => Promise.resolve(false), ...settle(settled) }, open);
    expect(settled).toEqual([]);
  });

  test("that comes late is no fault of the server", async () => {
    const { server, transport } = await against({}, 1, { message: 1000 });
    const permitted = Promise.withResolvers<void>();
    const outcomes: string[] = [];
    const settled = (_message: OutgoingMessage, { kind }: { kind: string }) => void outcomes.push(kind);
    const sending = transport.send(messages(1), { begun: () => permitted.promise, settled }, open);
    await expect.poll(() => server.commands.at(-1)).toBe("1 DATA");
    await sleep(1500);
    permitted.resolve();
    await sending;
    expect(outcomes).toEqual(["accepted"]);
    expect(server.taken).toHaveLength(1);
  });

  test("a promise from settled holds its connection", async () => {
    const { server, transport } = await against({}, 1);
    let release: (() => void) | undefined;
    const settled = ({ deliveryId }: OutgoingMessage) =>
      deliveryId === 1 ? new Promise<void>((resolve) => (release = resolve)) : undefined;
    const sending = transport.send(messages(2), { settled }, open);
    await expect.poll(() => server.taken.length).toBe(1);
    release?.();
    await sending;
    expect(server.taken).toHaveLength(2);
  });
});
