import { once } from "node:events";
import { createServer as createHttpServer, setGlobalProxyFromEnv } from "node:http";
import https from "node:https";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
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
