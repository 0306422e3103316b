import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { afterAnswer, type Verdict } from "./audit-verdict.ts";

/**
 * The software bill of materials of what is installed for production (CycloneDX), and whether the registry knows of a
 * vulnerability in it. Without a registry that answers, the bill is still written, and that is said. It ends with an error
 * for a vulnerability of high severity or worse.
 */

const BILL = "node_modules/.cache/sbom.cdx.json";
const LIMIT_MS = 30_000;
const run = promisify(execFile);

/** npm ends with an error when it finds something, and still prints it. */
async function npm(...given: string[]): Promise<string> {
  return run("npm", given, { timeout: LIMIT_MS, maxBuffer: 64 * 2 ** 20 }).then(
    ({ stdout }) => stdout,
    ({ stdout = "" }: { stdout?: string }) => stdout,
  );
}

const bill = await npm("sbom", "--sbom-format=cyclonedx", "--omit=dev");
await mkdir(dirname(BILL), { recursive: true });
await writeFile(BILL, bill);
const { components = [] } = JSON.parse(bill) as { components?: unknown[] };
console.log(`${components.length} components in ${BILL}`);

const verdict: Verdict = afterAnswer(await npm("audit", "--omit=dev", "--json"));
console.log(verdict.text);
if (verdict.failed) process.exitCode = 1;
