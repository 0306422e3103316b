import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

/** The app's page for a path, for someone who has a session or not. */
export type PageFor = (path: string, hasSession: boolean) => string;

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
 * Names what a path's screen needs next in the head of the page: its code and the first call. The browser fetches all of
 * it at once instead of learning about it step by step. The rest of the console is listed for `load-chunk.ts`, which fetches
 * it later. Without a session, the page also says so, because asking who is
 * signed in would only be refused.
 */
export async function pages(webRoot: string): Promise<PageFor> {
  const index = await readFile(join(webRoot, "index.html"), "utf8");
  const manifest = await readManifest(webRoot);
  if (!manifest) return () => index;
  const made = new Map<string, string>();
  const remaining = `<script type="application/json" id="remaining-code">${JSON.stringify(consoleFiles(manifest))}</script>`;

  const make = (screen: string, hasSession: boolean) => {
    const isPublic = publicScreens.includes(screen);
    const entries = [...(isPublic ? [] : [consoleChunk(manifest)]), screen].filter((name) => manifest[name]);
    const ofIndex = withImports(manifest, ["index.html"]);
    const files = [...withImports(manifest, entries)].filter((name) => !ofIndex.has(name));
    const call = hasSession ? "/api/auth/me" : "/api/auth/state";
    // As `fetch`, because load-chunk.ts fetches each file before it is imported.
    const links = [call, ...files.map((name) => `/${manifest[name]?.file}`)].map(
      (url) => `<link rel="preload" href="${url}" as="fetch" crossorigin />`,
    );
    return index
      .replace("<html", hasSession ? "<html" : "<html data-signed-out")
      .replace("</head>", `${links.join("")}${remaining}</head>`);
  };

  return (path, hasSession) => {
    const screen = screenOf(path, hasSession);
    const key = `${hasSession} ${manifest[screen] ? screen : ""}`;
    const page = made.get(key) ?? make(screen, hasSession);
    made.set(key, page);
    return page;
  };
}

const publicScreens = ["auth", "set-password", "confirm-email"].map((name) => `pages/${name}.tsx`);

/** The module of a path's screen. It need not exist: the path may be wrong. */
function screenOf(path: string, hasSession: boolean): string {
  const [first = "", second] = path.split("/").slice(1);
  const screen = `pages/${first}.tsx`;
  if (!hasSession) return publicScreens.includes(screen) ? screen : "pages/auth.tsx";
  if (first === "" || first === "auth") return "pages/dashboard.tsx";
  if (first === "notifications" && second) return "pages/notification.tsx";
  if (first === "settings" && second === "audit") return "pages/audit.tsx";
  return screen;
}
