import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";

/** A process that would turn each byte into a property needs a gigabyte; one that holds a few copies fits. */
const HEAP_MB = 64;

const receiver = `
  import fastifyCookie from "@fastify/cookie";
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
  const reply = await app.inject({
    method,
    url: path + "?name=a.pdf",
    headers: { host: "127.0.0.1", "content-type": "application/pdf" },
    payload: Buffer.alloc(endpoint.upload.limit, 1),
  });
  console.log(reply.body);
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
    JSON.stringify({ size: limit }),
    [],
  ]);
});
