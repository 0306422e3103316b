import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { StaffedSystem } from "./system.ts";
import { onOwnSystem, say } from "./photos/own-system.ts";
import { seed } from "./photos/seed.ts";

/**
 * `npm run lighthouse` measures the built app with Lighthouse on a desktop and on its phone: for each screen the medians
 * of three runs, and what each audit that isn't perfect says. `npm run lighthouse -- users dashboard phone` measures only
 * these screens, on only this device.
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

type Seeded = { system: StaffedSystem; sent: number };
const screens = {
  "sign-in": () => ({ path: "/auth", cookie: undefined }),
  dashboard: ({ system }: Seeded) => ({ path: "/", cookie: system.cookies.admin }),
  notifications: ({ system }: Seeded) => ({ path: "/notifications", cookie: system.cookies.admin }),
  detail: ({ system, sent }: Seeded) => ({ path: `/notifications/${sent}`, cookie: system.cookies.admin }),
  users: ({ system }: Seeded) => ({ path: "/users", cookie: system.cookies.admin }),
};

const wanted = process.argv.slice(2);
const known = [...Object.keys(screens), ...Object.keys(forms)];
for (const name of wanted)
  if (!known.includes(name)) throw new Error(`There is no ${name}. Choose from ${known.join(", ")}.`);

/** All of them if none was asked for. */
function chosen<Choice>(all: Record<string, Choice>): [string, Choice][] {
  const named = Object.entries(all).filter(([name]) => wanted.includes(name));
  return named.length > 0 ? named : Object.entries(all);
}

await onOwnSystem(
  async (system) => {
    const { sent } = await seed(system);
    const rows: Record<string, string | number>[] = [];
    for (const [name, screen] of chosen(screens)) {
      const { path, cookie } = screen({ system, sent });
      for (const [form, flags] of chosen<readonly string[]>(forms)) {
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
        const typical = middle[Math.floor(RUNS / 2)];
        say(`${name}, ${form}: ${scores.map((score) => score.join(" ")).join(", ")}`);
        if (typical) say(remarks(typical).join("\n"));
      }
    }
    console.table(rows);
  },
  { args: [`--remote-debugging-port=${DEBUG_PORT}`] },
);
