import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { StaffedSystem } from "./system.ts";
import { onOwnSystem, say } from "./photos/own-system.ts";
import { seed } from "./photos/seed.ts";

/**
 * `npm run lighthouse` measures the built app with Lighthouse on a desktop and on its phone: for each screen the medians
 * of three runs, and what each audit that isn't perfect says. `npm run lighthouse -- users` measures only one.
 *
 * Lighthouse is not installed with the project, because it would more than double it. npx fetches it on first use.
 */

const LIGHTHOUSE = "lighthouse@13.5.0";
const RUNS = Number(process.env["RUNS"] ?? 3);
const DEBUG_PORT = 9340;
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const forms = { desktop: ["--preset=desktop"], phone: [] };

type Audit = { title: string; score: number | null; scoreDisplayMode: string; displayValue?: string };
type Result = {
  categories: Record<
    (typeof categories)[number],
    { score: number; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, Audit>;
};

async function measure(url: string, cookie: string | undefined, flags: readonly string[]): Promise<Result> {
  const headers = cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : [];
  const { stdout } = await promisify(execFile)(
    "npx",
    ["--yes", LIGHTHOUSE, url, `--port=${DEBUG_PORT}`, "--output=json", "--quiet", ...headers, ...flags],
    { maxBuffer: 64_000_000 },
  );
  return JSON.parse(stdout) as Result;
}

const scoreOf = (result: Result, category: (typeof categories)[number]) =>
  Math.round(result.categories[category].score * 100);

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** What keeps a result from being perfect, and what the page took. */
function remarks({ categories: own, audits }: Result): string[] {
  const times = [
    "first-contentful-paint",
    "largest-contentful-paint",
    "total-blocking-time",
    "cumulative-layout-shift",
  ];
  const weighed = Object.values(own).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  const ids = new Set([
    ...times,
    ...weighed.map(({ id }) => id).filter((id) => (audits[id]?.score ?? 1) < 1),
  ]);
  return [...ids].map((id) => `    ${id}: ${audits[id]?.displayValue ?? audits[id]?.title}`);
}

const screens = (system: StaffedSystem, sent: number) => [
  { name: "sign-in", path: "/auth" },
  { name: "dashboard", path: "/", cookie: system.cookies.admin },
  { name: "notifications", path: "/notifications", cookie: system.cookies.admin },
  { name: "detail", path: `/notifications/${sent}`, cookie: system.cookies.admin },
  { name: "users", path: "/users", cookie: system.cookies.admin },
];

const wanted = process.argv.slice(2);
await onOwnSystem(
  async (system) => {
    const { sent } = await seed(system);
    const rows: Record<string, string | number>[] = [];
    for (const { name, path, cookie } of screens(system, sent)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      for (const [form, flags] of Object.entries(forms)) {
        const results: Result[] = [];
        for (let run = 0; run < RUNS; run += 1) {
          results.push(await measure(system.server.url + path, cookie, flags));
        }
        const scores = categories.map((category) => [
          category,
          median(results.map((result) => scoreOf(result, category))),
        ]);
        rows.push({ screen: name, form, ...Object.fromEntries(scores) });
        const middle = results.toSorted((a, b) => scoreOf(a, "performance") - scoreOf(b, "performance"));
        const chosen = middle[Math.floor(RUNS / 2)];
        say(`${name}, ${form}: ${scores.map((score) => score.join(" ")).join(", ")}`);
        if (chosen) say(remarks(chosen).join("\n"));
      }
    }
    console.table(rows);
  },
  { args: [`--remote-debugging-port=${DEBUG_PORT}`] },
);
