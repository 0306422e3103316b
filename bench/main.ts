import { availableParallelism, cpus } from "node:os";
import { sql } from "kysely";
import { connect } from "#server/db/database.ts";
import { ensureWebBuild } from "#server/web-build.ts";
import { attachment, email, slowServer } from "./measures/email.ts";
import { emergency } from "./measures/emergency.ts";
import { fanOut } from "./measures/fan-out.ts";
import { latency } from "./measures/latency.ts";
import type { Measure } from "./measures/measure.ts";
import { otherChannels } from "./measures/other-channels.ts";
import { sandbox } from "./measures/sandbox.ts";
import { startAndMemory } from "./measures/start-and-memory.ts";
import { webhooks } from "./measures/webhooks.ts";
import { startPostgres } from "./postgres.ts";
import { Worlds } from "./product.ts";
import { startSink } from "./sink-process.ts";
import { printTable, type Row } from "./table.ts";

/**
 * What a user gets from the whole product, each figure as a ratio to its peer or limit in the same run, because machines
 * differ. `npm run bench -- email sandbox` measures only these. BENCH_MESSAGES and BENCH_PEOPLE make it smaller,
 * BENCH_DATABASE_URL names a PostgreSQL server to use instead of a new embedded one, and BENCH_PROFILE a folder for CPU
 * profiles. docs/performance.md explains each row.
 */

const measures: Readonly<Record<string, Measure>> = {
  email,
  "slow-server": slowServer,
  attachment,
  "other-channels": otherChannels,
  sandbox,
  "fan-out": fanOut,
  latency,
  emergency,
  webhooks,
  "start-and-memory": startAndMemory,
};

const messages = Number(process.env["BENCH_MESSAGES"] ?? 10_000);
const people = Number(process.env["BENCH_PEOPLE"] ?? 100_000);
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in measures));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}. Choose from: ${Object.keys(measures).join(", ")}`);
  process.exit(1);
}

await ensureWebBuild();
const postgres = await startPostgres(process.env["BENCH_DATABASE_URL"]);
const worlds = new Worlds(postgres.url);
const rows: Row[] = [];
try {
  await describeMachine();
  for (const [name, measure] of Object.entries(measures)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const sink = await startSink();
    rows.push(...(await measure({ worlds, sink, serverUrl: postgres.url, messages, people })));
    sink.stop();
    console.error(`${name} is done.`);
  }
} finally {
  // Also what was measured before a measure failed.
  printTable(rows);
  await worlds.close();
  await postgres.stop();
}

async function describeMachine(): Promise<void> {
  const db = connect(postgres.url, { max: 1 });
  const { rows } = await sql<{
    version: string;
  }>`SELECT current_setting('server_version') AS version`.execute(db);
  await db.destroy();
  const model = cpus()[0]?.model.trim() ?? "CPU";
  console.log(
    `${availableParallelism()} × ${model}, Node ${process.versions.node}, PostgreSQL ${rows[0]?.version}. ` +
      "Database, Porchlight and the other end share this machine.",
  );
}
