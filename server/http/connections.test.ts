import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "#server/testing/until.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

/** Callers who hang up, and callers who never finish. */

const WARN = 40;

let porchlight: TestApp;
let staff: Caller;
let port: number;

beforeAll(async () => {
  porchlight = await testApp({ requestTimeoutMs: 400 });
  staff = await porchlight.signedIn("staff");
  await porchlight.app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = porchlight.app.server.address() as AddressInfo);
});
afterAll(() => porchlight.close());

/** A connection on which this much of a call has been said, and the server's end of it. */
async function begin(text: string): Promise<{ socket: Socket; ended: Promise<unknown> }> {
  const connected = once(porchlight.app.server, "connection") as Promise<[Socket]>;
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  const [there] = await connected;
  socket.write(text);
  return { socket, ended: once(there, "close") };
}

const head = (path: string, length: number) =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: 127.0.0.1:3000",
    `Cookie: ${staff.cookie}`,
    "Content-Type: application/json",
    `Content-Length: ${length}`,
    "",
    "",
  ].join("\r\n");

test("a caller who hangs up in the middle of a file is no error in the log", async () => {
  const { socket, ended } = await begin(`${head("/api/attachments?name=a.pdf", 1000)}begun`);
  const [request] = (await once(porchlight.app.server, "request")) as [IncomingMessage];
  await until(() => expect(request.listenerCount("data")).toBeGreaterThan(0));
  const broken = once(request, "error").catch((error: unknown) => error);
  socket.destroy();
  await Promise.all([ended, broken]);
  expect(porchlight.logged.filter(({ level }) => Number(level) >= WARN)).toEqual([]);
});

test.each([
  ["before sign-in", "/api/auth/login"],
  ["after it", "/api/notifications"],
])("a body that drips, %s, is cut off", async (_, path) => {
  const { socket, ended } = await begin(head(path, 1000));
  const drip = setInterval(() => socket.write("{"), 20);
  try {
    const answer = (await socket.toArray()).join("");
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('{"code":"too-slow","message":"This request took too long to arrive"}');
    await ended;
  } finally {
    clearInterval(drip);
  }
});
