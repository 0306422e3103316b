import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "#server/db/embedded/embedded.ts";
import { throughEngine } from "./through-engine.ts";
import { throughNodemailer } from "./through-nodemailer.ts";

/**
 * Emails per second through the whole engine (fan-out, claims, SMTP, everything settled in PostgreSQL), compared with
 * nodemailer's pooled sendMail, which records nothing: the same message, connections and sink, in one run.
 * BENCH_MESSAGES and BENCH_CONNECTIONS set their numbers.
 */

const messages = Number(process.env["BENCH_MESSAGES"] ?? 10_000);
const connections = Number(process.env["BENCH_CONNECTIONS"] ?? 20);

const dataDir = await mkdtemp(join(tmpdir(), "porchlight-bench-"));
const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const postgres = await startEmbedded({ dataDir, log: quiet });
const sink = fork(join(import.meta.dirname, "sink.ts"));
try {
  const [{ port }] = (await once(sink, "message")) as [{ port: number }];
  const task = { port, messages, connections, databaseUrl: postgres.url };
  const theirs = await measured(() => throughNodemailer(task));
  const ours = await measured(() => throughEngine(task));
  console.table([
    { sender: "nodemailer, pooled sendMail", ...theirs },
    { sender: "Porchlight, whole engine", ...ours },
  ]);
  console.log(
    `${messages} messages over ${connections} connections; PostgreSQL, sink and sender on this machine.`,
  );
  console.log(`The engine is ${(ours["emails/s"] / theirs["emails/s"]).toFixed(1)} times as fast.`);
} finally {
  sink.disconnect();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measured(send: () => Promise<{ seconds: number }>) {
  const before = await taken(sink);
  const { seconds } = await send();
  const received = (await taken(sink)) - before;
  if (received !== messages) throw new Error(`The sink took ${received} of ${messages} messages.`);
  return { seconds: Number(seconds.toFixed(2)), "emails/s": Math.round(messages / seconds) };
}

async function taken(child: ChildProcess): Promise<number> {
  child.send("count");
  const [answer] = (await once(child, "message")) as [{ taken: number }];
  return answer.taken;
}
