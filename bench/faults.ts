import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "#server/db/database.ts";
import { startEmbedded } from "#server/db/embedded/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { FaultyWorld } from "./faults-world.ts";
import type { Ledger } from "./faults-world.ts";
import { faults } from "./faults-list.ts";

/**
 * How the engine handles faults. Each runs against a mail server that misbehaves on purpose, with its own PostgreSQL and
 * separate worker processes. Prints a ledger, and exits with 1 if a promise was broken. Waits caused by an outage are
 * shortened, and nothing else.
 */
const dataDir = await mkdtemp(join(tmpdir(), "porchlight-faults-"));
const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const postgres = await startEmbedded({ dataDir, log: quiet });
const db = connect(postgres.url);
const only = process.argv.slice(2);
const ledgers: (Ledger & { fault: string })[] = [];
try {
  await migrate(db);
  for (const { name, people, run } of faults) {
    if (only.length > 0 && !only.some((number) => name.startsWith(`${number} `))) continue;
    const world = await FaultyWorld.open(db, postgres.url);
    try {
      const started = performance.now();
      const note = await run(world, people);
      const seconds = Math.round((performance.now() - started) / 1000);
      ledgers.push({ fault: name, ...(await world.ledger()), seconds, note });
      process.stdout.write(`${name}: ${seconds} s\n`);
    } finally {
      await world.close();
    }
  }
} finally {
  await db.destroy();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
console.table(Object.fromEntries(ledgers.map(({ fault, ...ledger }) => [fault, ledger])));
const broken = ledgers.filter(
  (one) => one.lost > 0 || one["failed for good"] > 0 || one.suppressed > 0 || one.twice > one["in doubt"],
);
if (broken.length > 0) {
  process.stdout.write(`Broken: ${broken.map(({ fault }) => fault).join(", ")}\n`);
  process.exitCode = 1;
}
