import { sql } from "kysely";
import { send } from "#server/delivery/testing/scene.ts";
import { SMTP_CONNECTIONS } from "./accounts.ts";
import type { Fault } from "./fault.ts";
import type { Mood } from "./providers.ts";
import { ended, type World } from "./world.ts";

const mailServer = { provider: "smtp", people: { small: 300, large: 300 } } as const;

/** The first nine, each on a mail server. */
export const first: readonly Fault[] = [
  { ...mailServer, name: "relay denied to everyone", run: moody("relay denied") },
  { ...mailServer, name: "no such user for everyone", run: moody("no such user") },
  {
    ...mailServer,
    name: "an emergency beside a fan-out",
    people: { small: 3000, large: 100_000 },
    run: emergency,
  },
  { ...mailServer, name: "a server that never answers", run: moody("mute") },
  { ...mailServer, name: "five deaths of a process", run: deaths },
  { ...mailServer, name: "a temporary fault for everyone", run: moody("busy") },
  { ...mailServer, name: "a full disk under the log", run: fullLog },
  { ...mailServer, name: "a clock that was a day ahead", run: clockAhead },
  { ...mailServer, name: "a message refused for everyone", run: moody("spam filter") },
];

const TRIES = 5;

/** The server behaves this way until the account has been set back and tried a few more times. */
function moody(mood: Mood): Fault["run"] {
  return async (world, people) => {
    world.provider.mood = mood;
    await world.start();
    await world.connected();
    await world.send(people);
    await world.setBack();
    const { rows } = await sql<{ reason: string; ofMessage: boolean }>`
      SELECT state_reason AS reason, false AS "ofMessage" FROM accounts WHERE state <> 'ok'
      UNION ALL SELECT reason, true FROM refused_contents`.execute(world.db);
    if (rows.some(({ ofMessage }) => ofMessage !== (mood === "spam filter")))
      throw new Error("The account was set back for a message, or a message for the account.");
    for (let tries = 0; tries < TRIES; tries += 1) await world.passTime();
    if (world.provider.unanswered > SMTP_CONNECTIONS + TRIES)
      throw new Error(`${world.provider.unanswered} messages are in doubt.`);
    world.provider.mood = "fine";
    await world.finished();
    return rows[0]?.reason ?? "";
  };
}

async function emergency(world: World, people: number): Promise<string> {
  await world.start();
  await world.connected();
  await world.send(people);
  const someone = await world.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
  const started = performance.now();
  const audience = [{ type: "user" as const, id: someone.id, name: "" }];
  const { runId } = await send(world.db, world.message({ class: "emergency", audience }));
  await world.until(sql`SELECT FROM deliveries WHERE run_id = ${runId} AND status = 'accepted'`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { waiting } = await world.ask(sql<{ waiting: number }>`
    SELECT count(*)::int AS waiting FROM deliveries WHERE status = 'queued'`);
  if (waiting === 0) throw new Error("The emergency was last.");
  await world.finished();
  return `The emergency took ${seconds} s.`;
}

async function deaths(world: World, people: number): Promise<string> {
  for (let kills = 0; kills < 5; kills += 1) {
    const child = await world.start();
    if (kills === 0) await world.send(people);
    await world.arrivals(20);
    await world.kill(child);
  }
  await world.start();
  await world.finished();
  return "";
}

async function fullLog(world: World, people: number): Promise<string> {
  await world.start({ fullDisk: true });
  await world.send(people);
  await world.finished();
  if (world.processesAlive === 0) throw new Error("The process has ended.");
  return "The process lives.";
}

async function clockAhead(world: World, people: number): Promise<string> {
  world.provider.mood = "busy";
  const child = await world.start();
  const { runId } = await world.send(people);
  await world.until(sql`SELECT FROM deliveries WHERE run_id = ${runId} AND reason = 'retrying'`);
  await ended(child, "SIGTERM");
  world.provider.mood = "fine";
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
  await world.start();
  await world.finished({ waiting: true });
  return "";
}
