import { once } from "node:events";
import { createServer as createHttpServer, setGlobalProxyFromEnv } from "node:http";
import https from "node:https";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import selfSigned from "smtp-server/lib/tls-options.js";
import { expect, onTestFinished, test } from "vitest";
import { apiClient, statusOutcome, withoutAnswer } from "./api-client.ts";
import { HttpTransport } from "./transport.ts";

const failed = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });
const timedOut = failed("ETIMEDOUT", "connect");

test.each([
  ["a connection that timed out", timedOut],
  ["a connection that was reset", failed("ECONNRESET", "connect")],
  ["none of a host's addresses", new AggregateError([timedOut, failed("EACCES", "connect")])],
])("%s was never there, so that nothing was sent", (_, cause) => {
  expect(withoutAnswer(cause)).toMatchObject({
    kind: "unavailable",
    account: true,
    code: "unreachable",
  });
});

test.each([
  ["what breaks while it is written", failed("ECONNRESET", "write")],
  ["what breaks while it is read", failed("ETIMEDOUT", "read")],
  ["some of it", new AggregateError([timedOut, failed("ECONNRESET", "read")])],
])("%s may have arrived", (_, cause) => {
  expect(withoutAnswer(cause)).toMatchObject({ kind: "uncertain" });
});

test("a connection that ends before the TLS handshake carried nothing", async () => {
  const server = createServer((socket) => socket.once("data", () => socket.destroy()));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const ask = apiClient(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, 5000);
  expect(await ask({ method: "GET", path: "/", headers: {} })).toMatchObject({
    kind: "unavailable",
    account: true,
  });
  server.close();
});

test("a connection that is never secured carried nothing, however long it takes", async () => {
  const server = createServer(() => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const ask = apiClient(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, 200);
  expect(await ask({ method: "GET", path: "/", headers: {} })).toMatchObject({
    kind: "unavailable",
    account: true,
    code: "timeout",
  });
  server.close();
});

test("a connection test of several calls ends in time", async () => {
  const never = () => new Promise<never>(() => undefined);
  const provider = { secrets: [], batch: 1, requests: 1, write: never, post: never, check: never };
  expect(await new HttpTransport(provider, 200).check()).toMatchObject({ ok: false, of: "unavailable" });
});

/** A proxy that leads every tunnel to this port. */
async function proxyTo(port: number): Promise<void> {
  const proxy = createHttpServer().on("connect", (_, near: Socket) => {
    const far = connect(port, "127.0.0.1", () => near.write("HTTP/1.1 200 OK\r\n\r\n"));
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.pipe(far).pipe(near);
    onTestFinished(() => void near.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const restore = setGlobalProxyFromEnv({
    https_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  });
  onTestFinished(() => {
    restore();
    proxy.close();
  });
}

test.each([
  ["is never secured carried nothing", createServer(), { kind: "unavailable", code: "timeout" }],
  ["is secure may have carried the request", createTlsServer(selfSigned()), { kind: "uncertain" }],
])("a connection through a proxy that %s", async (_, server, failure) => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  await proxyTo((server.address() as AddressInfo).port);
  // This agent is the proxy's own, and gone after the test.
  https.globalAgent.options.rejectUnauthorized = false;
  onTestFinished(() => void server.close());
  const ask = apiClient("https://provider.example", 1000);
  expect(await ask({ method: "POST", path: "/", headers: {}, body: "{}" })).toMatchObject(failure);
});

test("a provider that timed out reading a request may have accepted the message", () => {
  const answer = { status: 408, headers: new Headers(), body: undefined, format: "empty" as const };
  expect(statusOutcome(answer, "Request Timeout")).toMatchObject({ kind: "uncertain", code: "408" });
});

/** A server that does this with each connection on which a request has arrived. */
async function peer(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => answer(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, connections: () => sockets.size };
}

const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
const post = { method: "POST", path: "/", headers: {}, body: "{}" } as const;

test.each([
  ["switches to another protocol", (socket: Socket) => socket.write(SWITCHING)],
  ["switches to none", (socket: Socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n")],
  ["ends without a word", (socket: Socket) => socket.end()],
  ["ends after a hint", (socket: Socket) => socket.end("HTTP/1.1 103 Early Hints\r\n\r\n")],
  ["ends in the middle of the headers", (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\nContent-")],
  [
    "ends in the middle of the body",
    (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"),
  ],
  ["is torn down", (socket: Socket) => socket.resetAndDestroy()],
])("a connection that %s is no answer, and known at once", async (_, answer) => {
  const { url } = await peer(answer);
  expect(await apiClient(url, 3_600_000)(post)).toMatchObject({ kind: "uncertain", code: "no_answer" });
});

test("a body that ends with its connection is an answer", async () => {
  const { url } = await peer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n{}"));
  expect(await apiClient(url, 3_600_000)(post)).toMatchObject({ status: 200, body: {} });
});

test.each([
  ["can't be repeated gets a new connection", post, false, 2],
  ["has a key goes over the same connection", post, true, 1],
  ["only reads goes over the same connection", { ...post, method: "GET", body: "" }, false, 1],
] as const)("after a pause, a request that %s", async (_, request, keyed, connections) => {
  const server = await peer((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
  const ask = apiClient(server.url, 10_000, { keyed });
  expect(await ask(request)).toMatchObject({ status: 200 });
  await sleep(50);
  expect(await ask(request)).toMatchObject({ status: 200 });
  expect(server.connections()).toBe(connections);
});
