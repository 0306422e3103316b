import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ensureWebBuild } from "#server/web-build.ts";
import { person } from "./message.ts";
import { startPostgres } from "./postgres.ts";
import { delivered, importPeople, send, Worlds } from "./product.ts";
import { now, startSink } from "./sink-process.ts";
import { percentile } from "./table.ts";

/**
 * What metrics and traces cost: the time and the processor time of a run by email with both, relative to neither, in
 * turns. Metrics are scraped every second, and traces go to a collector that discards them. BENCH_MESSAGES and
 * BENCH_ROUNDS set the numbers.
 */

const messages = Number(process.env["BENCH_MESSAGES"] ?? 5000);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);

await ensureWebBuild();
const postgres = await startPostgres();
const worlds = new Worlds(postgres.url);
const sink = await startSink();
const collector = createServer(
  (request, response) => void request.resume().on("end", () => response.end("{}")),
);
const portOf = async (server: typeof collector) => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
};
const free = createServer();
const metricsPort = await portOf(free);
free.close();
const metrics = { METRICS_PORT: String(metricsPort) };
const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await portOf(collector)}` };
type Figures = { ms: number; cpu: number; memory: number };
const off: Figures[] = [];
const on: Figures[] = [];
try {
  for (let round = 0; round < rounds; round += 1) {
    off.push(await run({}));
    on.push(await run({ ...metrics, ...traces }));
    console.error(`Round ${round + 1} of ${rounds}: off, on`, off.at(-1), on.at(-1));
  }
  const median = (of: Figures[], what: keyof Figures) =>
    percentile(
      of.map((one) => one[what]),
      0.5,
    );
  const ratio = (what: keyof Figures) => (median(on, what) / median(off, what)).toFixed(2);
  console.log(
    `On ÷ off: time ${ratio("ms")}, processor time ${ratio("cpu")}, most memory ${ratio("memory")}.`,
  );
} finally {
  sink.stop();
  collector.close();
  await worlds.close();
  await postgres.stop();
}

function run(environment: Record<string, string>): Promise<Figures> {
  const mail = { SMTP_URL: `smtp://127.0.0.1:${sink.port}`, SMTP_FROM: "office@maple.example" };
  return worlds.with({ ...mail, ...environment }, async (world) => {
    await importPeople(world, messages, person);
    const before = await ticks(world.pid);
    const scraping =
      "METRICS_PORT" in environment &&
      setInterval(
        () => void fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((reply) => reply.text()),
        1000,
      );
    const arrived = sink.expect(messages);
    const started = now();
    const id = await send(world, "All Tenants", { channels: ["email"] });
    const ms = (await arrived) - started;
    await delivered(world, id);
    if (scraping) clearInterval(scraping);
    return { ms, cpu: (await ticks(world.pid)) - before, memory: (await world.memory()).most };
  });
}

/** Processor time of a process in ticks: fields 14 and 15 of /proc/…/stat, counted after the name in parentheses. */
async function ticks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}
