import { rm } from "node:fs/promises";
import { connect } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { Fleet } from "#server/testing/fleet.ts";
import { nextBuild } from "#server/testing/next-build.ts";
import { startPostgres } from "./postgres.ts";

/**
 * Three web, three worker and two scheduler processes on one PostgreSQL, which is a server apart to them. Under load, one of
 * each role is killed at random, five times, and replaced; then all are replaced by a build that expands the schema, and
 * by one that contracts it. Prints the books, and exits with 1 if they don't balance. FLEET_MESSAGES, FLEET_PEOPLE and
 * FLEET_ROUNDS set their numbers.
 */
const messages = Number(process.env["FLEET_MESSAGES"] ?? 60);
const people = Number(process.env["FLEET_PEOPLE"] ?? 150);
const rounds = Number(process.env["FLEET_ROUNDS"] ?? 5);

const expand = {
  "9001_expand.sql": "ALTER TABLE notifications ADD COLUMN color text NOT NULL DEFAULT 'green';",
  "9002_expand_more.sql": "ALTER TABLE deliveries ADD COLUMN color text;",
};
const contract = {
  ...expand,
  "9003_contract.sql": "-- needs 9002_expand_more.sql\nALTER TABLE deliveries DROP COLUMN color;",
};

const roles = ["web", "worker", "scheduler"] as const;

const postgres = await startPostgres();
const db = connect(postgres.url);
await migrate(db);
const builds = [await nextBuild(expand, { whole: true }), await nextBuild(contract, { whole: true })];
const fleet = await Fleet.open(db, postgres.url, people);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void close().then(() => process.exit(1)));
}
try {
  // The first one builds the web app if need be.
  await fleet.start("web");
  await Promise.all([...roles, ...roles, "worker" as const].map((role) => fleet.start(role)));
  const started = performance.now();
  await fleet.load({ clients: 6, messages, over: changes() });
  await fleet.finished();
  const ledger = await fleet.ledger();
  console.log({ ...ledger, seconds: Math.round((performance.now() - started) / 1000) });
  const { failedRequests, wronglyStored, lost, twice, inDoubt, imbalance } = ledger;
  const faults = failedRequests.length + wronglyStored.length + lost + imbalance.length;
  if (faults > 0 || twice > inDoubt) process.exitCode = 1;
} finally {
  await close();
}

async function close(): Promise<void> {
  await fleet.close();
  for (const { folder } of builds) await rm(folder, { recursive: true });
  await db.destroy();
  await postgres.stop();
}

async function changes(): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    await fleet.arrivals(Math.round((round / (rounds + 1)) * messages * people * 0.5));
    const dying = roles.map((role) => fleet.anyServing(role));
    for (const member of dying) fleet.kill(member);
    await Promise.all(roles.map((role) => fleet.start(role)));
    console.log(`Round ${round}: one of each role was killed and replaced`);
  }
  for (const { folder } of builds) {
    const before = roles.map((role) => fleet.serving(role));
    for (let nth = 0; nth < 3; nth += 1) {
      const leaving = before.flatMap((members) => members.slice(nth, nth + 1));
      // First the new one, as Kubernetes does: someone always serves.
      await Promise.all(leaving.map(({ role }) => fleet.start(role, folder)));
      const codes = await Promise.all(leaving.map((member) => fleet.stop(member)));
      if (codes.some((code) => code !== 0)) throw new Error(`One did not end in order: ${codes.join()}`);
    }
    console.log("All eight were replaced by the next build");
  }
}
