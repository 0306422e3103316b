import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { person } from "../message.ts";
import { delivered, groupNamed, importPeople, send } from "../product.ts";
import { now } from "../sink-process.ts";
import { percentile, type Row } from "../table.ts";
import type { Bench } from "./measure.ts";

/** Nothing is measured before the process has compiled what sends. */
const WARM_UP = 20;

/** From the click until the mail server has the message, while nothing else goes on, beside one commit to disk. */
export function latency({ worlds, sink, messages }: Bench): Promise<Row[]> {
  const times = Math.max(5, Math.min(200, messages / 20));
  const environment = { SMTP_URL: `smtp://127.0.0.1:${sink.port}`, SMTP_FROM: "office@maple.example" };
  return worlds.with(environment, async (world) => {
    await importPeople(world, 1, person);
    await sql`CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)`.execute(world.db);
    const tenants = await groupNamed(world, "All Tenants");
    const commits: number[] = [];
    const clicks: number[] = [];
    for (let n = -WARM_UP; n < times; n += 1) {
      const commit = await timeCommit(world.db);
      const arrived = sink.expect(1);
      const started = now();
      const id = await send(world, tenants, { channels: ["email"] });
      const click = (await arrived) - started;
      if (n >= 0) {
        commits.push(commit);
        clicks.push(click);
      }
      await delivered(world, id);
      await sleep(50);
    }
    const commit = percentile(commits, 0.5);
    const beside = (share: number, atMost: number): Row => ({
      what: `One message, click to mail server, p${share * 100} ÷ one commit`,
      figure: `${percentile(clicks, share).toFixed(1)} and ${commit.toFixed(1)} ms`,
      value: percentile(clicks, share) / commit,
      unit: "x",
      aim: { atMost },
    });
    return [beside(0.5, 5), beside(0.99, 25)];
  });
}

async function timeCommit(db: Db): Promise<number> {
  const started = now();
  await sql`INSERT INTO bare DEFAULT VALUES`.execute(db);
  return now() - started;
}
