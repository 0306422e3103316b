import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { may, type Principal } from "#contract/permissions.ts";

/**
 * Who asks for a page: no one signed in, a person, or someone whose session may have ended, or who must set a password
 * or a second factor first.
 */
export type Visitor = "signed-out" | "unknown" | Principal;

/** The app's page for a URL's path and query. */
type PageFor = (url: string, visitor: Visitor) => string;

const manifestShape = z.record(
  z.string(),
  z.object({
    file: z.string(),
    name: z.string().optional(),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
  }),
);
export type Manifest = z.output<typeof manifestShape>;

/** Which chunk imports which, as the bundler lists them; undefined for a build without the list. */
export async function readManifest(webRoot: string): Promise<Manifest | undefined> {
  const text = await readFile(join(webRoot, ".vite", "manifest.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : manifestShape.parse(JSON.parse(text));
}

/** These chunks and everything they import. */
export function withImports(manifest: Manifest, entries: readonly string[]): Set<string> {
  const found = new Set(entries);
  for (const name of found) for (const imported of manifest[name]?.imports ?? []) found.add(imported);
  return found;
}

/** The console's chunk. It is shared with the entry for browsers without Temporal, so its key is not its source. */
export function consoleChunk(manifest: Manifest): string {
  return Object.keys(manifest).find((name) => manifest[name]?.name === "app") ?? "app.tsx";
}

/** The files of all screens and dialogs of the console, those that are needed first at the start. */
function consoleFiles(manifest: Manifest): string[] {
  const found = new Set([consoleChunk(manifest)]);
  for (const name of found) {
    // It has been loaded, and knows the screens for people who are signed out.
    if (name === "index.html") continue;
    const { imports = [], dynamicImports = [] } = manifest[name] ?? {};
    for (const next of [...imports, ...dynamicImports]) found.add(next);
  }
  found.delete("index.html");
  return [...found].flatMap((name) => manifest[name]?.file ?? []).map((file) => `/${file}`);
}

/**
 * Names what a screen needs next in the head of the page: its code and its first calls. The browser fetches all of it
 * at once instead of learning about it step by step. The rest of the console is listed for `load-chunk.ts`, which
 * fetches it later. Without a session, the page also says so, because asking who is signed in would only be refused.
 */
export async function pages(webRoot: string): Promise<PageFor> {
  const index = await readFile(join(webRoot, "index.html"), "utf8");
  const manifest = await readManifest(webRoot);
  if (!manifest) return () => index;
  const ofIndex = withImports(manifest, ["index.html"]);
  const remaining = `<script type="application/json" id="remaining-code">${JSON.stringify(consoleFiles(manifest))}</script>`;

  return (url, visitor) => {
    const signedOut = visitor === "signed-out";
    const screen = screenOf(url, signedOut);
    const entries = [...(isPublic(screen) ? [] : [consoleChunk(manifest)]), screen];
    const files = [...withImports(manifest, entries)].filter((name) => manifest[name] && !ofIndex.has(name));
    const calls = isPublic(screen) ? callsBeforeSignIn(visitor) : firstCalls(url, visitor);
    const needed = [...calls, ...files.map((name) => `/${manifest[name]?.file}`)];
    // As `fetch`, because load-chunk.ts fetches each file before it is imported.
    const links = needed.map(
      (one) => `<link rel="preload" href="${one.replaceAll("&", "&amp;")}" as="fetch" crossorigin />`,
    );
    return index
      .replace("<html", signedOut ? "<html data-signed-out" : "<html")
      .replace("</head>", `${links.join("")}${remaining}</head>`);
  };
}

const publicScreens = ["auth", "set-password", "confirm-email"].map((name) => `pages/${name}.tsx`);
const isPublic = (screen: string) => publicScreens.includes(screen);

/** The module of a path's screen. It need not exist: the path may be wrong. */
function screenOf(url: string, signedOut: boolean): string {
  const [first = "", second] = (url.split("?")[0] ?? "").split("/").slice(1);
  const screen = `pages/${first}.tsx`;
  if (signedOut) return isPublic(screen) ? screen : "pages/auth.tsx";
  if (first === "" || first === "auth") return "pages/dashboard.tsx";
  if (first === "notifications" && second) return "pages/notification.tsx";
  if (first === "properties" && second) return "pages/property.tsx";
  if (first === "settings" && second === "audit") return "pages/audit.tsx";
  return screen;
}

/** What the console's screens first ask for, exactly as they ask for it. With a search in the URL, they ask for something else. */
const consoleCalls: Record<string, readonly string[]> = {
  "/": [
    "/api/dashboard",
    "/api/schedules/attention?pageSize=5",
    "/api/schedules/upcoming?pageSize=4",
    "/api/notifications?page=1&pageSize=4",
  ],
  "/notifications": ["/api/notifications?page=1&recent=true&pageSize=25"],
  "/properties": ["/api/places/properties?archived=false&page=1&pageSize=25"],
  "/users": ["/api/users?sort=name&direction=asc&page=1&pageSize=25"],
};

/** Nothing that belongs to the visitor: from a one-time link someone else may sign in, and would be shown it. */
function callsBeforeSignIn(visitor: Visitor): string[] {
  return visitor === "signed-out" ? ["/api/auth/state"] : ["/api/auth/me"];
}

/** Only what the visitor may ask: a refused call is on record as an attempt. */
function firstCalls(url: string, visitor: Visitor): string[] {
  if (visitor === "signed-out" || visitor === "unknown") return callsBeforeSignIn(visitor);
  const shell = ["/api/auth/me", "/api/shell", "/api/settings/value/companyLogo"];
  if (!may(visitor, "console")) return shell;
  const [path = ""] = url.split("?");
  const detail = /^\/notifications\/[1-9]\d{0,15}$/.test(path) ? [`/api${path}`] : [];
  return [...shell, ...(consoleCalls[url] ?? []), ...detail];
}
