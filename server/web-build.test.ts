import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ensureWebBuild } from "#server/web-build.ts";

let projectFolder: string;
let logged: string[];
const log = (message: string) => void logged.push(message);
const ensure = () => ensureWebBuild({ log, projectFolder });

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(projectFolder, path)), { recursive: true });
  await writeFile(join(projectFolder, path), text);
}

/** A small web app of the real one's layout. */
beforeEach(async () => {
  logged = [];
  projectFolder = await mkdtemp(join(tmpdir(), "porchlight-web-"));
  await write("package-lock.json", "{}");
  await write("web/index.html", `<title>A</title><script type="module" src="/main.ts"></script>`);
  await write("web/main.ts", `import { word } from "../contract/word.ts"; document.title = word;`);
  await write("contract/word.ts", `export const word: string = "first";`);
});
afterEach(() => rm(projectFolder, { recursive: true, force: true }));

async function script(): Promise<string> {
  const assets = join(projectFolder, "dist/web/assets");
  const [name = ""] = await readdir(assets);
  return readFile(join(assets, name), "utf8");
}

test("a missing build is made, for production wherever that is, and a fresh one is used again", async () => {
  vi.stubEnv("NODE_ENV", "development");
  await write(
    "web/main.ts",
    `import { word } from "../contract/word.ts"; document.title = word + process.env.NODE_ENV;`,
  );
  const folder = await ensure();
  expect(folder).toBe(join(projectFolder, "dist/web"));
  expect((await stat(folder)).mode & 0o777).toBe(0o755);
  expect(await script()).toMatch(/first.*production/s);
  const { mtimeMs } = await stat(join(folder, "index.html"));

  await write("web/main.test.ts", "a test takes no part");
  expect(await ensure()).toBe(folder);
  expect((await stat(join(folder, "index.html"))).mtimeMs).toBe(mtimeMs);
  expect(logged).toHaveLength(1);
});

test("a change of any source calls for a new build", async () => {
  await ensure();
  for (const [path, text, word] of [
    ["web/added.css", "body {}", "first"],
    ["package-lock.json", `{ "name": "other" }`, "first"],
    ["contract/word.ts", `export const word: string = "second";`, "second"],
    ["web/main.ts", `document.title = "changed";`, "changed"],
  ] as const) {
    logged = [];
    await write(path, text);
    await ensure();
    expect(await script()).toContain(word);
    expect(logged).toHaveLength(1);
  }
});

test("what is worth it is there compressed as well, and what it expands to is the file", async () => {
  await write("web/main.ts", `document.title = ${JSON.stringify("tall tales ".repeat(400))};`);
  const assets = join(await ensure(), "assets");
  const names = (await readdir(assets)).toSorted();
  expect(names).toEqual([names[0], `${names[0]}.br`, `${names[0]}.gz`]);
  const [plain, br, gz] = await Promise.all(names.map((name) => readFile(join(assets, name))));
  expect(brotliDecompressSync(br!).equals(plain!)).toBe(true);
  expect(gunzipSync(gz!).equals(plain!)).toBe(true);
  expect(br!.length).toBeLessThan(plain!.length / 4);
});

test("a build that nothing vouches for, such as half of one, is replaced", async () => {
  await write("dist/web/index.html", "<title>half");
  await ensure();
  expect(await readFile(join(projectFolder, "dist/web/index.html"), "utf8")).toContain("<title>A</title>");
});

test("starts at the same moment end with one whole build; what a killed one left is removed, what another is making is not", async () => {
  await write("dist/web/index.html", "an old one");
  await write("dist/.web-killed/index.html", "");
  await write("dist/.web-current/index.html", "");
  await utimes(join(projectFolder, "dist/.web-killed"), new Date(0), new Date(0));
  await Promise.all([ensure(), ensure(), ensure()]);
  expect(await script()).toContain("first");
  expect((await readdir(join(projectFolder, "dist"))).sort()).toEqual([".web-current", "web"]);
});

test("a build that fails says why and leaves the old one in place", async () => {
  await ensure();
  await write("web/main.ts", `import "./nowhere.ts";`);
  await expect(ensure()).rejects.toThrow(/could not be built[^]*nowhere\.ts/);
  expect(await script()).toContain("first");
  expect(await readdir(join(projectFolder, "dist"))).toEqual(["web"]);
});

test("without sources the build that is there is taken", async () => {
  await ensure();
  await rm(join(projectFolder, "web"), { recursive: true });
  await rm(join(projectFolder, "contract"), { recursive: true });
  expect(await ensure()).toBe(join(projectFolder, "dist/web"));
  expect(logged).toHaveLength(1);
});

test("with neither sources nor build the error says so", async () => {
  await rm(join(projectFolder, "web"), { recursive: true });
  await expect(ensure()).rejects.toThrow(
    "Neither the web app's source (web/) nor its build (dist/web) was found.",
  );
});
