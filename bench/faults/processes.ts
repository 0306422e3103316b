import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { addNotification } from "#server/delivery/testing/scene.ts";
import { SMTP_CONNECTIONS, type ProviderKind } from "./accounts.ts";
import type { Fault } from "./fault.ts";
import { ended, type World } from "./world.ts";

const kills = (provider: ProviderKind, what: string): Fault => ({
  name: `random processes killed, ${what}`,
  provider,
  people: { small: 300, large: 10_000 },
  run: killRandom,
});

const freezes = (provider: ProviderKind, what: string): Fault => ({
  name: `a process frozen past its lease, ${what}`,
  provider,
  people: { small: 300, large: 3000 },
  run: frozen,
});

export const processes: readonly Fault[] = [
  kills("onesignal", "a keyed provider"),
  kills("postmark", "a queryable provider"),
  kills("smtp", "a blind provider"),
  freezes("smtp", "a blind provider"),
  freezes("onesignal", "a keyed provider"),
  freezes("postmark", "a queryable provider"),
  {
    name: "two workers and two schedulers, their clocks two days apart and then set right",
    provider: "smtp",
    people: { small: 20, large: 200 },
    run: twoSchedulers,
  },
];

const EVERY_MS = 250;
const LONGEST_MS = 900_000;

/** A few processes under load. Every quarter of a second one of them dies and another starts. */
async function killRandom(world: World, people: number): Promise<string> {
  const [together, times] = world.large ? [4, 500] : [2, 3];
  const alive = new Set<ChildProcess>();
  const starting = new Set<Promise<unknown>>();
  const begin = () => {
    const one = world.start().then((child) => alive.add(child));
    starting.add(one);
    void one.finally(() => starting.delete(one));
  };
  for (let count = 0; count < together; count += 1) begin();
  await world.send(people);
  await world.arrivals(1);
  let runs = 1;
  const began = performance.now();
  let killed = 0;
  while (killed < times && performance.now() - began < LONGEST_MS) {
    // On a busy machine a process may not get to send anything in that time. What is in doubt waits ten minutes before the
    // provider is asked about it, and in the end nothing else is left.
    const busy = world.provider.arrived.length + 10;
    await sleep(EVERY_MS);
    for (let more = 0; more < 8 && world.provider.arrived.length < busy; more += 1) await world.passTime();
    const victim = [...alive].at(Math.floor(Math.random() * alive.size));
    if (victim === undefined) continue;
    alive.delete(victim);
    await world.kill(victim);
    killed += 1;
    begin();
    if (await isIdle(world)) {
      await world.send();
      runs += 1;
    }
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  await Promise.all(starting);
  await world.finished();
  return `${killed} kills in ${seconds} s, ${runs} ${runs === 1 ? "run" : "runs"}.`;
}

async function isIdle({ db }: World): Promise<boolean> {
  const { rows } = await sql`SELECT FROM runs WHERE state IN ('fanning-out', 'sending') LIMIT 1`.execute(db);
  return rows.length === 0;
}

/** The process stands still for longer than its lease, while another takes over, and then goes on. */
async function frozen(world: World, people: number): Promise<string> {
  const times = world.large ? 5 : 1;
  const sleeper = await world.start();
  await world.connected();
  await world.send(people);
  for (let count = 0; count < times; count += 1) {
    await world.arrivals(10);
    const before = await takenOver(world);
    sleeper.kill("SIGSTOP");
    world.exposed += Math.min(SMTP_CONNECTIONS, world.provider.connections().size);
    const other = count === 0 ? await world.start() : undefined;
    if (other) await world.connected();
    await world.until(sql`SELECT WHERE ${takeovers} > ${before}`);
    await sleep(1000);
    sleeper.kill("SIGCONT");
    await sleep(2000);
    if (count + 1 < times) await world.send();
  }
  await world.finished();
  return "";
}

const takeovers = sql<number>`((SELECT count(*) FROM delivery_events WHERE kind = 'taken-over')
  + (SELECT count(*) FROM attempts WHERE code = 'process_ended'))`;

async function takenOver(world: World): Promise<number> {
  const { count } = await world.ask(sql<{ count: number }>`SELECT ${takeovers}::int AS count`);
  return count;
}

/**
 * Of two workers and two schedulers, one's clock is a day ahead and the other's a day behind; the schedulers die now
 * and then. Then all clocks are set right.
 */
async function twoSchedulers(world: World, notifications: number): Promise<string> {
  const DAY_MS = 86_400_000;
  const apart = [DAY_MS, -DAY_MS];
  const workers = await Promise.all(apart.map((aheadMs) => world.start({ aheadMs })));
  await world.connected();
  const scheduler = async (aheadMs: number) => ({
    aheadMs,
    child: await world.start({ role: "scheduler", aheadMs }),
  });
  const schedulers = await Promise.all(apart.map(scheduler));
  await world.send(20);
  const soon = Date.now() + 2000;
  for (let count = 0; count < notifications; count += 1) {
    const scheduledTime = new Date(soon + (count % 10) * 200);
    await addNotification(world.db, world.message({ status: "Scheduled", scheduledTime }));
  }
  const later = await addNotification(
    world.db,
    world.message({ status: "Scheduled", scheduledTime: new Date(Date.now() + DAY_MS / 2) }),
  );
  const children = [...workers];
  for (const { child, aheadMs } of schedulers) {
    await sleep(1000);
    await ended(child, "SIGKILL");
    children.push((await scheduler(aheadMs)).child);
  }
  for (const child of children) child.kill("SIGUSR2");
  await world.send();
  await world.until(sql`SELECT FROM runs HAVING count(*) = ${notifications + 2}`);
  await world.finished();
  const { early, late } = await world.ask(sql<{ early: number; late: number }>`
    SELECT count(*) FILTER (WHERE r.created_at < n.scheduled_time)::int AS early,
      count(*) FILTER (WHERE n.id = ${later})::int AS late
    FROM runs r JOIN notifications n ON n.id = r.notification_id`);
  if (early + late > 0) throw new Error(`${early + late} notifications started before their time`);
  return `${notifications} notifications, none before its time.`;
}
