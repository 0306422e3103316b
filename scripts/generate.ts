import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { configTable } from "#server/config.ts";
import { openApi } from "./openapi.ts";
import { SpecificationError, specificationPage } from "./specification.ts";

/**
 * Writes the files that are made from the code: docs/openapi.json, docs/specification.md and the README's table of
 * settings.
 * With --check it writes nothing and fails when one of them is stale.
 */

const root = new URL("../", import.meta.url);
const check = process.argv.includes("--check");
const begin = "<!-- settings: made by `npm run generate` -->";
const end = "<!-- /settings -->";

async function read(name: string): Promise<string> {
  return readFile(new URL(name, root), "utf8").catch(() => "");
}

function withSettings(readme: string): string {
  const from = readme.indexOf(begin);
  const to = readme.indexOf(end);
  if (from < 0 || to < 0) throw new Error(`README.md has no place for the settings: ${begin} … ${end}`);
  return `${readme.slice(0, from)}${begin}\n${configTable()}\n${readme.slice(to)}`;
}

async function specification(): Promise<string> {
  const paths = globSync("{*,{contract,server,web,e2e}/**/*}.{test,spec}.ts", { cwd: root });
  const tests = await Promise.all(paths.sort().map(async (path) => ({ path, text: await read(path) })));
  return specificationPage(
    await read("docs/specification.rows.txt"),
    await read("docs/departures.md"),
    tests,
  );
}

const { version } = JSON.parse(await read("package.json")) as { version: string };
const readme = await read("README.md");
const generated: Record<string, string> = {
  "docs/openapi.json": `${JSON.stringify(openApi(version), null, 2)}\n`,
  "README.md": withSettings(readme),
  "docs/specification.md": await specification().catch((error: unknown) => {
    if (!(error instanceof SpecificationError)) throw error;
    console.error(error.message);
    process.exit(1);
  }),
};

const stale: string[] = [];
for (const [name, text] of Object.entries(generated)) {
  if ((await read(name)) === text) continue;
  stale.push(name);
  if (!check) await writeFile(new URL(name, root), text);
}
if (check && stale.length > 0) {
  console.error(`Stale: ${stale.join(", ")}. Run: npm run generate`);
  process.exitCode = 1;
} else if (stale.length > 0) {
  console.log(`Wrote ${stale.join(", ")}`);
}
