import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";

/** A process that would turn each byte into a property needs a gigabyte; one that holds a few copies fits. */
const HEAP_MB = 64;
/**
 * A step of an upload may take the event loop as long as this process takes to copy the largest file this many times. That
 * is measured in the same process, so it doesn't depend on the machine. A property for each byte takes thousands.
 */
const COPIES = 12;

const receiver = `
  import fastifyCookie from "@fastify/cookie";
  import { connect } from "node:net";
  import fastify from "fastify";
  import { endpoints } from "#contract/api.ts";
  import { acceptBytes } from "#server/http/accept.ts";
  import { bind } from "#server/http/bind.ts";
  import { cookiesOf } from "#server/http/session.ts";
  const [method, path] = process.argv.slice(-2);
  const endpoint = endpoints.find((one) => one.method === method && one.path === path);
  const app = fastify();
  await app.register(fastifyCookie);
  acceptBytes(app);
  const cookies = cookiesOf(new URL("http://127.0.0.1"));
  // Anyone may call it, so that it needs no database.
  const open = { ...endpoint, access: "public", reply: { safeParse: (data) => ({ success: true, data }) } };
  bind(app, { endpoint: open, handler: async ({ request }) => ({ size: request.body.length }) }, { cookies });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const file = Buffer.alloc(endpoint.upload.limit, 1);
  const upload = async () => {
    const socket = connect(app.server.address().port, "127.0.0.1");
    const head = [method + " " + path + "?name=a.pdf HTTP/1.1", "host: 127.0.0.1", "content-type: application/pdf",
      "content-length: " + file.length, "connection: close"].join("\\r\\n") + "\\r\\n\\r\\n";
    socket.write(head);
    socket.write(file);
    return Buffer.concat(await socket.toArray()).toString().split("\\r\\n\\r\\n")[1];
  };
  // The processor's time between two turns of the loop: others on the machine don't count.
  const spent = () => { const { user, system } = process.cpuUsage(); return user + system; };
  let longest = 0, turning = true, last = spent();
  const turn = () => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
    if (turning) setImmediate(turn);
  };
  // The first one also compiles.
  await upload();
  const before = spent();
  for (let n = 0; n < ${COPIES}; n += 1) Buffer.from(file);
  const copying = spent() - before;
  last = spent();
  turn();
  const body = await upload();
  turning = false;
  await app.close();
  console.log(JSON.stringify({ ...JSON.parse(body), inSteps: longest < copying, longest, copying }));
`;

test.each(
  endpoints.flatMap((one) => (one.upload ? [[one.method, one.path, one.upload.limit] as const] : [])),
)("%s %s takes the largest file in a few copies of it", async (method, path, limit) => {
  const flags = ["--input-type=module-typescript", `--max-old-space-size=${HEAP_MB}`];
  const child = spawn(process.execPath, [...flags, "--eval", receiver, "--", method, path], {
    stdio: "pipe",
  });
  const [out, errors] = [child.stdout.setEncoding("utf8"), child.stderr.setEncoding("utf8")].map((stream) =>
    stream.toArray(),
  );
  const [code] = await once(child, "close");
  expect([code, (await out)?.join("").trim(), code === 0 ? [] : await errors]).toEqual([
    0,
    expect.stringContaining(`{"size":${limit},"inSteps":true,`),
    [],
  ]);
});
