import { once } from "node:events";
import { sql } from "kysely";
import { send } from "#server/delivery/testing/scene.ts";
import type { FaultyWorld, Mood } from "./faults-world.ts";

/** A fault and how many people it affects. `run` resolves when everything is decided, with any further notes. */
type Fault = { name: string; people: number; run: (world: FaultyWorld, people: number) => Promise<string> };

export const faults: readonly Fault[] = [
  { name: "1 relay denied to everyone", people: 300, run: moody("relay denied") },
  { name: "2 no such user for everyone", people: 300, run: moody("no such user") },
  { name: "3 an emergency beside a fan-out", people: 3000, run: emergency },
  { name: "4 a server that never answers", people: 200, run: moody("mute") },
  { name: "5 five deaths of a process", people: 400, run: deaths },
  { name: "6 a temporary fault for everyone", people: 300, run: moody("busy") },
  { name: "7 a full disk under the log", people: 300, run: fullDisk },
  { name: "8 a clock that was a day ahead", people: 200, run: clockAhead },
  { name: "9 a message refused for everyone", people: 300, run: moody("spam filter") },
];

/** The server behaves this way until the account has been set back and tried a few more times. */
function moody(mood: Mood): Fault["run"] {
  return async (world, people) => {
    world.mood = mood;
    await world.startWorker();
    await world.send(people);
    await world.setBack();
    const { rows } = await sql<{ reason: string }>`
      SELECT state_reason AS reason FROM accounts WHERE state <> 'ok'
      UNION ALL SELECT reason FROM refused_contents`.execute(world.db);
    for (let tries = 0; tries < 5; tries += 1) await world.passTime();
    world.mood = "fine";
    await world.finished();
    return rows[0]?.reason ?? "";
  };
}

async function emergency(world: FaultyWorld, people: number): Promise<string> {
  await world.startWorker();
  await world.send(people);
  const someone = await world.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
  const started = performance.now();
  const { runId } = await send(world.db, {
    class: "emergency",
    audience: [{ type: "user", id: someone.id, name: "" }],
  });
  await world.until(sql`SELECT FROM deliveries WHERE run_id = ${runId} AND status = 'accepted'`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  await world.finished();
  return `The emergency took ${seconds} s.`;
}

async function deaths(world: FaultyWorld, people: number): Promise<string> {
  for (let kills = 0; kills < 5; kills += 1) {
    const child = await world.startWorker();
    if (kills === 0) await world.send(people);
    const before = world.arrived.length;
    while (world.arrived.length < before + 20) await new Promise((resolve) => setTimeout(resolve, 5));
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }
  await world.startWorker();
  await world.finished();
  return "";
}

async function fullDisk(world: FaultyWorld, people: number): Promise<string> {
  await world.startWorker({ fullDisk: true });
  await world.send(people);
  await world.finished();
  return world.workersAlive === 1 ? "The process lives." : "The process has ended.";
}

async function clockAhead(world: FaultyWorld, people: number): Promise<string> {
  world.mood = "busy";
  const child = await world.startWorker();
  const { runId } = await world.send(people);
  await world.until(sql`SELECT FROM deliveries WHERE run_id = ${runId} AND reason = 'retrying'`);
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
  world.mood = "fine";
  const ahead = sql`interval '1 day'`;
  await sql`UPDATE deliveries SET due_at = due_at + ${ahead}, expires_at = expires_at + ${ahead}`.execute(
    world.db,
  );
  await sql`UPDATE accounts SET retry_at = retry_at + ${ahead}, tokens_at = tokens_at + ${ahead}`.execute(
    world.db,
  );
  await sql`INSERT INTO refused_contents (run_id, account_id, reason, at, retry_at)
    SELECT ${runId}, id, 'spam', now() + ${ahead}, now() + ${ahead} FROM accounts`.execute(world.db);
  await sql`UPDATE workers SET lease_until = lease_until + ${ahead}`.execute(world.db);
  await world.startWorker();
  await world.finished({ waiting: true });
  return "";
}
