import { mkdtemp, rm } from "node:fs/promises";
import { createServer, connect as dial, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbedded } from "#server/db/embedded/embedded.ts";
import { Worlds, importPeople, groupNamed, send, delivered } from "./product.ts";
import { person } from "./message.ts";
import { startSink, now } from "./sink-process.ts";
import { percentile } from "./table.ts";
// A database one or two milliseconds away.
const dataDir = await mkdtemp(join(tmpdir(), "porchlight-bench-"));
const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
const postgres = await startEmbedded({ dataDir, log: quiet });
const at = new URL(postgres.url);
const host = decodeURIComponent(at.hostname); const socket = host.startsWith("/") ? host : null;
const port = at.port || "5432";
const pipe = (a: Socket, b: Socket) => { a.setNoDelay(true); a.on("data", (d) => void setTimeout(() => b.write(d), 1)); a.on("end", () => setTimeout(() => b.end(), 5)); a.on("error", () => b.destroy()); };
const proxy = createServer((a) => { const b = socket ? dial(`${socket}/.s.PGSQL.${port}`) : dial(Number(port), "127.0.0.1"); pipe(a, b); pipe(b, a); });
await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", () => done()));
at.searchParams.delete("host"); at.hostname = "127.0.0.1"; at.port = String((proxy.address() as { port: number }).port);
const worlds = new Worlds(at.href);
const sink = await startSink();
try {
  await worlds.with({ SMTP_URL: `smtp://127.0.0.1:${sink.port}`, SMTP_FROM: "office@maple.example" }, async (world) => {
    await importPeople(world, 1, person);
    const tenants = await groupNamed(world, "All Tenants");
    const clicks: number[] = [], answers: number[] = [];
    for (let n = -15; n < 40; n += 1) {
      const arrived = sink.expect(1); const started = now();
      const id = await send(world, tenants, { channels: ["email"] });
      const answered = now() - started; const click = (await arrived) - started;
      if (n >= 0) { clicks.push(click); answers.push(answered); }
      await delivered(world, id); await sleep(50);
    }
    console.log(`click p50 ${percentile(clicks, 0.5).toFixed(1)} p90 ${percentile(clicks, 0.9).toFixed(1)}; answer ${percentile(answers, 0.5).toFixed(1)}`);
  });
} finally { sink.stop(); await worlds.close(); proxy.close(); await postgres.stop(); await rm(dataDir, { recursive: true, force: true }); }
process.exit(0);
