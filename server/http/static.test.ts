import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { roles } from "#contract/calls/auth.ts";
import { principalOf } from "#contract/permissions.ts";
import type { Visitor } from "#server/http/page.ts";
import { serveWeb } from "#server/http/static.ts";

let app: FastifyInstance;
let webRoot: string;

const html = (head: string, signedOut = "") =>
  `<html${signedOut}><head><title>Porchlight</title>${head}</head></html>`;
const link = (url: string) => `<link rel="preload" href="${url}" as="fetch" crossorigin />`;

const manifest = {
  "index.html": {
    file: "assets/index.js",
    imports: ["_react.js"],
    dynamicImports: ["pages/auth.tsx", "_app.js"],
  },
  "_react.js": { file: "assets/react.js" },
  "_table.js": { file: "assets/table.js", imports: ["_react.js"] },
  "_app.js": {
    file: "assets/app.js",
    name: "app",
    imports: ["_react.js", "index.html"],
    dynamicImports: ["pages/notification.tsx", "_table.js"],
  },
  "pages/auth.tsx": { file: "assets/auth.js", imports: ["_react.js"] },
  "pages/set-password.tsx": { file: "assets/set-password.js" },
  "pages/notification.tsx": {
    file: "assets/notification.js",
    imports: ["_table.js"],
    dynamicImports: ["edit-dialog.tsx"],
  },
  "edit-dialog.tsx": { file: "assets/edit-dialog.js" },
};

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), "porchlight-web-"));
  await mkdir(join(webRoot, "assets"));
  await mkdir(join(webRoot, ".vite"));
  await writeFile(join(webRoot, "index.html"), html(""));
  await writeFile(join(webRoot, ".vite", "manifest.json"), JSON.stringify(manifest));
  await writeFile(join(webRoot, "assets", "index-abc.js"), "export {};");
  await writeFile(join(webRoot, "assets", "index-abc.js.br"), "as brotli");
  await writeFile(join(webRoot, "assets", "index-abc.js.gz"), "as gzip");
  app = Fastify();
  await serveWeb(app, webRoot, async ({ headers: { cookie = "signed-out" } }): Promise<Visitor> => {
    if (cookie === "hanging") return new Promise(() => undefined);
    const role = roles.find((name) => name === cookie);
    return role ? principalOf(role) : (cookie as "signed-out" | "unknown");
  });
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
  expect(reply.body).toMatch(method === "HEAD" ? /^$/ : /<title>Porchlight<.title>/);
});

const remaining = `<script type="application/json" id="remaining-code">${JSON.stringify(
  ["app", "react", "notification", "table", "edit-dialog"].map((name) => `/assets/${name}.js`),
)}</script>`;
const shell = ["/api/auth/me", "/api/shell", "/api/settings/value/companyLogo"];
const notification = ["/assets/app.js", "/assets/notification.js", "/assets/table.js"];
const links = (...urls: string[]) => urls.map(link).join("");

test.each([
  [
    "someone signed in",
    "/notifications/7?show=all",
    "staff",
    html(links(...shell, "/api/notifications/7", ...notification) + remaining),
  ],
  [
    "staff at a list",
    "/notifications",
    "admin",
    html(
      links(...shell, "/api/notifications?page=1&amp;recent=true&amp;pageSize=25", "/assets/app.js") +
        remaining,
    ),
  ],
  [
    "staff at a list that is searched",
    "/notifications?q=roof",
    "admin",
    html(links(...shell, "/assets/app.js") + remaining),
  ],
  [
    "a tenant, who may not read the list",
    "/notifications",
    "tenant",
    html(links(...shell, "/assets/app.js") + remaining),
  ],
  [
    "someone whose session may have ended",
    "/notifications/7",
    "unknown",
    html(links("/api/auth/me", ...notification) + remaining),
  ],
  [
    "someone whom the database does not tell in time",
    "/notifications/7",
    "hanging",
    html(links("/api/auth/me", ...notification) + remaining),
  ],
  [
    "someone signed in at a wrong path",
    "/attic",
    "staff",
    html(links(...shell, "/assets/app.js") + remaining),
  ],
  [
    "someone signed out",
    "/notifications/7",
    "",
    html(link("/api/auth/state") + link("/assets/auth.js") + remaining, " data-signed-out"),
  ],
  [
    "whoever opens a one-time link",
    "/set-password/abc",
    "",
    html(link("/api/auth/state") + link("/assets/set-password.js") + remaining, " data-signed-out"),
  ],
  [
    "an administrator who opens someone else's one-time link",
    "/set-password/abc",
    "admin",
    html(links("/api/auth/me", "/assets/set-password.js") + remaining),
  ],
])("the page of %s names what it needs next, and the rest for later", async (_, url, cookie, page) => {
  const reply = await app.inject({
    method: "GET",
    url,
    headers: { accept: browser, ...(cookie && { cookie }) },
  });
  expect(reply.body).toBe(page);
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

test("password managers find where to change a password, and no other well-known path exists", async () => {
  const get = (url: string) => app.inject({ method: "GET", url, headers: { accept: browser } });
  const change = await get("/.well-known/change-password");
  expect([change.statusCode, change.headers.location]).toEqual([302, "/profile#password"]);
  const unknown = "resource-that-should-not-exist-whose-status-code-should-not-be-200";
  for (const path of ["", "/", `/${unknown}`, "/security.txt", "/change-password/else"]) {
    expect((await get(`/.well-known${path}`)).statusCode).toBe(404);
  }
  expect((await get("/.well-known-facts")).statusCode).toBe(200);
});
