import { first } from "./faults/answers.ts";
import { openServer, startOnSmallDisk, startServer, type Server } from "./faults/database.ts";
import { Skipped, type Fault } from "./faults/fault.ts";
import { brokenPromises, takeLedger, type Ledger } from "./faults/ledger.ts";
import { interventions } from "./faults/interventions.ts";
import { lostCommits } from "./faults/lost-commits.ts";
import { outages } from "./faults/outages.ts";
import { providerFaults } from "./faults/provider-faults.ts";
import { processes } from "./faults/processes.ts";
import { silentConnections } from "./faults/silent-connections.ts";
import { World } from "./faults/world.ts";

/**
 * How the engine handles faults (docs/faults.md). Each runs against a provider that misbehaves on purpose and keeps the
 * ledger, with its own PostgreSQL and separate processes. Prints the ledgers, and exits with 1 if a promise was broken.
 * Waits caused by an outage are shortened, and what a process takes for one. `node bench/faults.ts [--large] [--people=COUNT] [number …]`;
 * with DATABASE_URL, in that database, which it empties.
 */
const faults: readonly Fault[] = [
  ...first,
  ...processes,
  ...outages,
  ...providerFaults,
  ...interventions,
  ...lostCommits,
  ...silentConnections,
];

type Line = { fault: string; ledger?: Ledger; seconds: number; note: string; broken: string[] };

const large = process.argv.includes("--large");
const [people] = process.argv.flatMap((argument) => /^--people=(\d+)$/.exec(argument)?.[1] ?? []).map(Number);
const only = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const given = process.env["DATABASE_URL"];
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void shared.close().finally(() => process.exit(1)));
}
const shared = given ? await openServer(given) : await startServer();
const lines: Line[] = [];
try {
  for (const [index, fault] of faults.entries()) {
    const number = index + 1;
    if (only.length > 0 && !only.includes(String(number))) continue;
    const line = await runFault(fault, `${number} ${fault.name}`);
    lines.push(line);
    process.stdout.write(`${line.fault}: ${line.seconds} s ${line.note} ${line.broken.join(", ")}\n`);
  }
} finally {
  await shared.close();
}
console.table(
  Object.fromEntries(lines.map(({ fault, ledger, seconds, note }) => [fault, { ...ledger, seconds, note }])),
);
const broken = lines.filter((line) => line.broken.length > 0);
if (broken.length > 0) {
  process.stdout.write(
    `Broken:\n${broken.map((line) => `${line.fault}: ${line.broken.join(", ")}\n`).join("")}`,
  );
  process.exitCode = 1;
}

async function runFault(fault: Fault, name: string): Promise<Line> {
  const started = performance.now();
  const line = (rest: Omit<Line, "fault" | "seconds">): Line => ({
    fault: name,
    seconds: Math.round((performance.now() - started) / 1000),
    ...rest,
  });
  let server: Server | undefined;
  let world: World | undefined;
  try {
    server = fault.disk ? await startOnSmallDisk(fault.disk) : shared;
    world = await World.open(server, fault.provider, large);
    const note = await fault.run(world, people ?? fault.people[large ? "large" : "small"]);
    await world.stopAll();
    const ledger = await takeLedger(world);
    return line({ ledger, note, broken: brokenPromises(ledger) });
  } catch (error) {
    if (error instanceof Skipped) return line({ note: `Skipped: ${error.message}`, broken: [] });
    console.error(error, await world?.describe().catch(() => undefined));
    const ledger = world && (await takeLedger(world).catch(() => undefined));
    return line({
      ...(ledger && { ledger }),
      note: (error as Error).message,
      broken: [(error as Error).message],
    });
  } finally {
    await world?.close();
    if (server !== shared) await server?.close();
  }
}
