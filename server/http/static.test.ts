import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveWeb } from "#server/http/static.ts";

let app: FastifyInstance;
let webRoot: string;

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), "porchlight-web-"));
  await mkdir(join(webRoot, "assets"));
  await writeFile(join(webRoot, "index.html"), "<title>Porchlight</title>");
  await writeFile(join(webRoot, "assets", "index-abc.js"), "export {};");
  await writeFile(join(webRoot, "assets", "index-abc.js.br"), "as brotli");
  await writeFile(join(webRoot, "assets", "index-abc.js.gz"), "as gzip");
  app = Fastify();
  await serveWeb(app, webRoot);
});
afterAll(async () => {
  await app.close();
  await rm(webRoot, { recursive: true });
});

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

test.each([
  ["a browser", "GET", "/notifications/7?show=all", browser],
  ["a browser at an address with a dot", "GET", "/set-password/a.b", browser],
  ["a monitor", "HEAD", "/", "*/*"],
  ["a person at a terminal", "GET", "/", "*/*"],
  ["a client that takes any text", "GET", "/users", "text/*;q=0.9, application/json"],
  ["a client that says nothing", "GET", "/auth", undefined],
] as const)("%s gets the app", async (_, method, url, accept) => {
  const reply = await app.inject({ method, url, headers: accept ? { accept } : {} });
  expect([reply.statusCode, reply.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(reply.body).toBe(method === "HEAD" ? "" : "<title>Porchlight</title>");
});

test.each([
  ["a chunk of an older build", "GET", "/assets/users-old.js", "*/*"],
  ["a file that is not there", "GET", "/robots.txt?x=1", "*/*"],
  ["a call that does not exist", "GET", "/api/nothing", browser],
  ["the root of the calls", "GET", "/api", "*/*"],
  ["a page asked for as data", "GET", "/notifications", "application/json"],
  ["a page written to", "POST", "/notifications", browser],
] as const)("%s is not found", async (_, method, url, accept) => {
  const reply = await app.inject({ method, url, headers: { accept } });
  expect([reply.statusCode, reply.json()]).toEqual([404, expect.objectContaining({ code: "not-found" })]);
});

test("a file of this build is served with its type and cached for good", async () => {
  const reply = await app.inject({ method: "GET", url: "/assets/index-abc.js", headers: { accept: "*/*" } });
  expect([reply.statusCode, reply.headers["cache-control"]]).toEqual([
    200,
    "public, max-age=31536000, immutable",
  ]);
});

test.each([
  ["gzip, deflate, br, zstd", "br", "as brotli"],
  ["gzip", "gzip", "as gzip"],
  ["identity", undefined, "export {};"],
])("a browser that takes %s gets it so, as the script that it is", async (encodings, encoding, body) => {
  const reply = await app.inject({
    method: "GET",
    url: "/assets/index-abc.js",
    headers: { "accept-encoding": encodings },
  });
  expect([reply.headers["content-encoding"], reply.body]).toEqual([encoding, body]);
  expect(reply.headers).toMatchObject({
    "content-type": "application/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    vary: expect.stringContaining("accept-encoding"),
  });
});
