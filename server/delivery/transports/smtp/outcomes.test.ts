import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { scriptedServer, type Script, type ScriptedServer } from "./testing/scripted-server.ts";
import { message, send, sendOne } from "../testing/sending.ts";
import { transportTo } from "./testing/transport-to.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const QUICK = { connect: 1000, greeting: 150, message: 300, idle: 5000 };

async function against(
  script: Script,
  options: { connections?: number; extensions?: string; login?: string } = {},
) {
  const server: ScriptedServer = await scriptedServer(script, options.extensions);
  cleanups.push(() => server.close());
  const transport = transportTo(`smtp://${options.login ?? ""}127.0.0.1:${server.port}`, {
    connections: options.connections,
    timeouts: QUICK,
  });
  cleanups.push(() => transport.close());
  return { server, transport };
}

const PIPELINED = ["PIPELINING", "8BITMIME"];

describe.each(PIPELINED)("what a reply means, server with %s", (extensions) => {
  const noSuch = {
    kind: "refused",
    of: "recipient",
    code: "550 5.1.1",
    detail: "No such user here",
    suppress: true,
  };
  const cases: readonly [string, Script, object][] = [
    ["RCPT 550 5.1.1", { rcpt: () => "550-5.1.1 No such\r\n550 5.1.1 user here" }, noSuch],
    [
      "RCPT 550 5.1.10",
      { rcpt: () => "550 5.1.10 none" },
      { kind: "refused", of: "recipient", suppress: true },
    ],
    [
      "RCPT 550 without more",
      { rcpt: () => "550 no" },
      { kind: "refused", of: "recipient", code: "550", detail: "no" },
    ],
    [
      "RCPT 550 5.7.1",
      { rcpt: () => "550 5.7.1 policy" },
      { kind: "refused", of: "recipient", code: "550 5.7.1" },
    ],
    [
      "RCPT 552 5.2.2",
      { rcpt: () => "552 5.2.2 full" },
      { kind: "refused", of: "recipient", code: "552 5.2.2" },
    ],
    [
      "RCPT 450",
      { rcpt: () => "450 4.2.1 grey" },
      { kind: "unavailable", code: "450 4.2.1", detail: "grey" },
    ],
    ["RCPT 452", { rcpt: () => "452 4.2.2 full" }, { kind: "unavailable", code: "452 4.2.2" }],
    [
      "RCPT 421",
      { rcpt: () => "421 4.7.0 too fast" },
      { kind: "unavailable", code: "421 4.7.0", detail: "too fast" },
    ],
    [
      "MAIL 421",
      { mail: () => "421 4.7.0 too fast" },
      { kind: "throttled", code: "421 4.7.0", detail: "too fast" },
    ],
    ["RCPT 530", { rcpt: () => "530 5.7.0 log in" }, { kind: "misconfigured", code: "530 5.7.0" }],
    ["MAIL 550 5.7.1", { mail: () => "550 5.7.1 not you" }, { kind: "misconfigured", code: "550 5.7.1" }],
    ["MAIL 451", { mail: () => "451 4.3.0 later" }, { kind: "unavailable", code: "451 4.3.0" }],
    [
      "MAIL 552 5.3.4",
      { mail: () => "552 5.3.4 too big" },
      { kind: "refused", of: "message", code: "552 5.3.4" },
    ],
    ["DATA 554", { data: () => "554 5.5.0 no" }, { kind: "refused", of: "message", code: "554 5.5.0" }],
    ["DATA 454", { data: () => "454 4.7.0 throttling" }, { kind: "unavailable", code: "454 4.7.0" }],
    [
      "content 554 5.7.1",
      { end: () => "554 5.7.1 spam" },
      { kind: "refused", of: "message", code: "554 5.7.1" },
    ],
    ["content 454", { end: () => "454 Throttling failure" }, { kind: "unavailable", code: "454" }],
    ["content 451", { end: () => "451 4.3.0 busy" }, { kind: "unavailable", code: "451 4.3.0" }],
    [
      "content 550 5.1.1",
      { end: () => "550 5.1.1 none" },
      { kind: "refused", of: "recipient", suppress: true },
    ],
    [
      "content 550 5.1.8",
      { end: () => "550 5.1.8 bad sender" },
      { kind: "misconfigured", code: "550 5.1.8" },
    ],
    // Not an SMTP reply, so it doesn't mean that the message was refused.
    ["MAIL nonsense", { mail: () => "999 what" }, { kind: "unavailable", code: "bad_reply" }],
    ["RCPT nonsense", { rcpt: () => "banana" }, { kind: "unavailable", code: "bad_reply" }],
    ["DATA nonsense", { data: () => "banana" }, { kind: "unavailable", code: "bad_reply" }],
    ["content nonsense", { end: () => "999 what" }, { kind: "uncertain", code: "bad_reply" }],
    ["content noise", { end: () => "\u0000\u00ff banana" }, { kind: "uncertain", code: "bad_reply" }],
  ];
  test.each(cases)("%s", async (_name, script, expected) => {
    const { transport } = await against(script, { extensions });
    expect(await sendOne(transport)).toEqual({
      detail: expect.any(String),
      code: expect.any(String),
      ...expected,
    });
  });

  test("accepted: our Message-ID and the server's reply", async () => {
    const { transport, server } = await against({}, { extensions });
    expect(await sendOne(transport)).toEqual({
      kind: "accepted",
      messageId: expect.stringMatching(/^d1\.[0-9a-f]{32}@maple\.example$/),
      detail: "queued as X1",
    });
    expect(server.taken).toHaveLength(1);
  });

  test("accepted in several lines: the text, without the codes", async () => {
    const end = () => "250-2.0.0 hello\r\n250-2.0.0 OK\r\n250 queued as X1";
    const { transport } = await against({ end }, { extensions });
    expect(await sendOne(transport)).toMatchObject({ detail: "hello OK queued as X1" });
  });
});

describe("a connection that ends", () => {
  test.each<[string, Script]>([
    ["after MAIL", { mail: () => "drop" }],
    ["after RCPT", { rcpt: () => "drop" }],
    ["instead of 354", { data: () => "drop" }],
  ])("%s: certainly not sent", async (_name, script) => {
    const { transport, server } = await against(script);
    expect(await sendOne(transport)).toMatchObject({ kind: "unavailable", code: "connection_lost" });
    expect(server.sessions()).toBe(1);
  });

  test.each<[string, Script]>([
    ["in the content", { content: () => "drop" }],
    ["after the final dot", { end: () => "drop" }],
  ])("%s: nobody knows", async (_name, script) => {
    const { transport, server } = await against(script);
    expect(await sendOne(transport)).toMatchObject({ kind: "uncertain", code: "connection_lost" });
    expect(server.sessions()).toBe(1);
  });
});

describe("a server that stops responding", () => {
  test.each<[string, Script, string]>([
    ["before its greeting", { greeting: () => "silence" }, "unavailable"],
    ["after EHLO", { ehlo: () => "silence" }, "unavailable"],
    ["after RCPT", { rcpt: () => "silence", data: () => "silence" }, "unavailable"],
    ["in the content", { content: () => "silence" }, "uncertain"],
    ["after the final dot", { end: () => "silence" }, "uncertain"],
  ])("%s is given up in time", async (_name, script, kind) => {
    const { transport } = await against(script);
    expect(await sendOne(transport)).toMatchObject({ kind, code: "timeout" });
  });
});

test("a long reply is never cut inside a character, which couldn't be stored", async () => {
  const { transport } = await against({ rcpt: () => `550 5.1.1 ${"x".repeat(499)}🏠 is nobody's` });
  expect(await sendOne(transport)).toMatchObject({ detail: `${"x".repeat(499)}…` });
});

test("a connection test ends in time, however long its steps may take", async () => {
  const server = await scriptedServer({ greeting: () => "silence" });
  cleanups.push(() => server.close());
  const timeouts = { connect: 600_000, greeting: 600_000, message: 200 };
  const transport = transportTo(`smtp://127.0.0.1:${server.port}`, { timeouts });
  expect(await transport.check()).toMatchObject({ ok: false, of: "unavailable", code: "timeout" });
});

describe("a server that refuses the connection or login", () => {
  test.each<[string, Script, object]>([
    ["554 greeting", { greeting: () => "554 5.7.1 blocked" }, { kind: "misconfigured", code: "554 5.7.1" }],
    ["421 greeting", { greeting: () => "421 4.7.0 too many" }, { kind: "throttled", code: "421 4.7.0" }],
    ["not SMTP", { greeting: () => "HTTP/1.1 400 Bad Request" }, { kind: "misconfigured", code: "not_smtp" }],
    ["closing at once", { greeting: () => "drop" }, { kind: "unavailable" }],
  ])("%s", async (_name, script, expected) => {
    const { transport } = await against(script);
    expect(await sendOne(transport)).toMatchObject(expected);
    expect(await transport.check()).toMatchObject({ ok: false });
  });

  test.each<[string, Script, string, object]>([
    [
      "a wrong password",
      { auth: () => "535 5.7.8 wrong" },
      "AUTH PLAIN",
      { kind: "misconfigured", code: "535 5.7.8" },
    ],
    ["no time for a login", { auth: () => "454 4.7.0 later" }, "AUTH PLAIN", { kind: "throttled" }],
    ["no login offered", {}, "8BITMIME", { kind: "misconfigured", code: "login_impossible" }],
  ])("%s", async (_name, script, extensions, expected) => {
    const { transport, server } = await against(script, { extensions, login: "ann:secret@" });
    const outcome = await sendOne(transport);
    expect(outcome).toMatchObject(expected);
    expect(JSON.stringify(outcome)).not.toContain("secret");
    expect(server.taken).toHaveLength(0);
  });

  test("nothing listens", async () => {
    const { transport, server } = await against({});
    await server.close();
    expect(await sendOne(transport)).toMatchObject({
      kind: "unavailable",
      code: "connection_refused",
      detail: "The mail server refused the connection. Check the host and port.",
    });
  });

  test("TLS is required and not offered: nothing is sent unencrypted", async () => {
    const server = await scriptedServer({});
    cleanups.push(() => server.close());
    const transport = transportTo(`smtp://127.0.0.1:${server.port}?tls=required`, { timeouts: QUICK });
    expect(await sendOne(transport)).toMatchObject({
      kind: "misconfigured",
      code: "no_starttls",
      detail: "This server doesn't offer STARTTLS. Try TLS from the start (port 465).",
    });
    expect(server.commands.some((line) => line.includes("MAIL"))).toBe(false);
  });

  test("the server has no TLS", async () => {
    const server = await scriptedServer({});
    cleanups.push(() => server.close());
    const transport = transportTo(`smtps://127.0.0.1:${server.port}`, { timeouts: QUICK });
    expect(await sendOne(transport)).toMatchObject({
      kind: "misconfigured",
      code: "no_tls",
      detail: "The mail server doesn't speak TLS here. Try STARTTLS (port 587).",
    });
  });

  test("the server agrees to STARTTLS and goes on without TLS: it isn't advised again", async () => {
    const replies = ["250-test\r\n250 STARTTLS", "220 go ahead", "500 what"];
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.on("data", () => socket.write(`${replies.shift()}\r\n`));
      socket.write("220 test\r\n");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    cleanups.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.address() as AddressInfo;
    const transport = transportTo(`smtp://127.0.0.1:${port}?tls=required`, { timeouts: QUICK });
    expect(await sendOne(transport)).toMatchObject({
      kind: "misconfigured",
      code: "no_tls",
      detail: "The mail server doesn't speak TLS here. Try TLS from the start (port 465).",
    });
  });
});

describe("an address", () => {
  test.each([
    "",
    "ann",
    "ann@",
    "@example.com",
    "a b@example.com",
    "ann@exa mple.com",
    "ann@example.com/x",
    "a\r\nb@c.example",
  ])("%j is refused without asking a server", async (address) => {
    const { transport, server } = await against({});
    expect(await sendOne(transport, { address })).toMatchObject({
      kind: "refused",
      of: "recipient",
      code: "invalid_address",
    });
    expect(server.sessions()).toBe(0);
  });

  test("an international domain goes out in ASCII", async () => {
    const { transport, server } = await against({});
    expect(await sendOne(transport, { address: "ann@bücher.example" })).toMatchObject({ kind: "accepted" });
    expect(server.commands).toContain("1 RCPT TO:<ann@xn--bcher-kva.example>");
    expect(server.taken[0]).toContain("\r\nTo: Tenant 1 <ann@xn--bcher-kva.example>\r\n");
  });

  test("an international mailbox needs a server with SMTPUTF8", async () => {
    const without = await against({});
    expect(await sendOne(without.transport, { address: "ännchen@example.com" })).toMatchObject({
      kind: "refused",
      of: "recipient",
      code: "no_smtputf8",
    });
    expect((await send(without.transport, [message(2)])).outcomes.get(2)).toMatchObject({ kind: "accepted" });

    const able = await against({}, { extensions: "SMTPUTF8" });
    expect(await sendOne(able.transport, { address: "ännchen@example.com" })).toMatchObject({
      kind: "accepted",
    });
    expect(able.server.commands.find((line) => line.includes("MAIL"))).toContain("SMTPUTF8");
    expect(Buffer.from(able.server.taken[0]!, "latin1").toString()).toContain("<ännchen@example.com>");
  });
});

describe("a server that quotes our credentials", () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const plain = base64("\0ann\0hush-hush");

  test.each([
    ["the command", `535 5.7.8 Error: authentication failed: AUTH PLAIN ${plain}`],
    ["the command over two lines", `535-5.7.8 bad: AUTH PLAIN\r\n535 5.7.8 ${plain}`],
    ["its argument alone", `535 5.7.8 Cannot read ${plain}`],
    ["its beginning", `535 5.7.8 Cannot read ${plain.slice(0, 12)}`],
    ["the password", "535 5.7.8 The password hush-hush is wrong"],
    ["the password as LOGIN sends it", `535 5.7.8 ${base64("hush-hush")} is wrong`],
    ["the digest of CRAM-MD5", `535 5.7.8 ${base64("ann 0123456789abcdef0123456789abcdef")} is wrong`],
  ])("%s: it is neither stored nor shown", async (_what, reply) => {
    const { transport } = await against(
      { auth: () => reply },
      { extensions: "AUTH PLAIN", login: "ann:hush-hush@" },
    );
    const said = JSON.stringify([await sendOne(transport), await transport.check()]);
    expect(said).toContain("535 5.7.8");
    for (const secret of ["hush", plain.slice(0, 12), base64("hush-hush"), base64("ann 01").slice(0, 8)]) {
      expect(said).not.toContain(secret);
    }
  });

  test("later in the connection", async () => {
    const mail = () => `530 5.7.0 You said AUTH PLAIN ${plain}`;
    const { transport } = await against({ mail }, { extensions: "AUTH PLAIN", login: "ann:hush-hush@" });
    expect(await sendOne(transport)).toMatchObject({ code: "530 5.7.0", detail: "You said …" });
  });

  test("keeps the rest of the reply", async () => {
    const auth = () =>
      "535 5.7.8 Username and Password not accepted. See https://mail.example/help?id=BadCredentials";
    const { transport } = await against({ auth }, { extensions: "AUTH PLAIN", login: "ann:hush-hush@" });
    expect(await transport.check()).toMatchObject({
      detail: expect.stringContaining("not accepted. See https://mail.example/help?id=BadCredentials"),
    });
  });
});
