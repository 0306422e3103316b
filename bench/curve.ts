import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { ensureWebBuild } from "#server/web-build.ts";
import { chart, type Curve } from "./chart.ts";
import { startPostgres } from "./postgres.ts";
import { delivered, send, Worlds } from "./product.ts";
import { startSink } from "./sink-process.ts";
import { count } from "./table.ts";

/**
 * What a delivery costs in runs of 1,000 to 1,000,000, from the click until the console shows the run as delivered: to the
 * Sandbox, which takes messages as they are fanned out, and by email, which claims, begins and settles each. Draws
 * docs/performance-curve.svg. `npm run bench:curve -- 100000` ends with that many. Each run has a new database; its people
 * are inserted, because a million of them take too long to import.
 */

const most = Number(process.argv[2] ?? 1_000_000);
const sizes = [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000].filter((size) => size <= most);

await ensureWebBuild();
const postgres = await startPostgres();
const worlds = new Worlds(postgres.url);
const sink = await startSink();
try {
  const curves = [
    await measure("to the Sandbox", ["email", "sms"], {}),
    await measure("by email", ["email"], {
      SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      SMTP_FROM: "office@maple.example",
    }),
  ];
  await writeFile(join(import.meta.dirname, "../docs/performance-curve.svg"), chart(curves));
} finally {
  sink.stop();
  await worlds.close();
  await postgres.stop();
}

async function measure(
  name: string,
  channels: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Curve> {
  const points = [];
  for (const deliveries of sizes) {
    const seconds = await worlds.with(environment, async (world) => {
      await insertPeople(world.db, deliveries / channels.length);
      const started = performance.now();
      await delivered(world, await send(world, "All Tenants", { channels }));
      return (performance.now() - started) / 1000;
    });
    points.push({ deliveries, seconds });
    console.log(
      `${count(deliveries).padStart(9)} deliveries ${name}  ${seconds.toFixed(1).padStart(6)} s  ` +
        `${((seconds * 1e6) / deliveries).toFixed(0).padStart(5)} µs each`,
    );
  }
  return { name, points };
}

async function insertPeople(db: Db, people: number): Promise<void> {
  await sql`INSERT INTO users (username, email, phone, first_name, last_name, role, property_unit)
    SELECT 'person.' || n, 'person.' || n || '@example.com', '+1415' || lpad(n::text, 7, '0'), 'Ann' || n, 'Lee',
      'tenant', 'Maple Court, Unit ' || n FROM generate_series(1, ${people}::int) n`.execute(db);
}
