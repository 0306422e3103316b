import { sql } from "kysely";
import { send } from "#server/delivery/testing/scene.ts";
import type { Fault } from "./fault.ts";
import { openProxy } from "./proxy.ts";
import type { World } from "./world.ts";

/** What a single connection can do to all others. */
export const silentConnections: readonly Fault[] = [
  {
    name: "single connections to the database that die without a word, and an emergency",
    provider: "smtp",
    people: { small: 2000, large: 50_000 },
    run: oneSilent,
  },
];

/** As in production: a silent connection is given up long after an emergency has to be out. */
const ANSWER_WITHIN_MS = 50_000;

/** Each time, what a statement of the only worker is sent over gets no answer. Others go on, and an emergency leaves. */
async function oneSilent(world: World, people: number): Promise<string> {
  const proxy = await openProxy(world.server.target);
  const databaseUrl = world.server.urlAt("127.0.0.1", proxy.port);
  await world.start({ databaseUrl, answerWithin: ANSWER_WITHIN_MS });
  await world.connected();
  await world.addPeople(people);
  const someone = await world.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
  const seconds: string[] = [];
  for (let times = world.large ? 10 : 3; times > 0; times -= 1) {
    await world.send();
    await world.until(sql`SELECT WHERE NOT EXISTS (SELECT FROM runs WHERE state = 'fanning-out')`);
    await world.arrivals(20);
    const silent = await proxy.silenceNext();
    const started = performance.now();
    const audience = [{ type: "user" as const, id: someone.id, name: "" }];
    const { runId } = await send(world.db, world.message({ class: "emergency", audience }));
    await world.until(sql`SELECT FROM deliveries WHERE run_id = ${runId} AND accepted_at IS NOT NULL`);
    seconds.push(((performance.now() - started) / 1000).toFixed(1));
    if (!proxy.connections().has(silent))
      throw new Error("The emergency waited until the connection was given up.");
    silent.destroy();
    await world.finished();
  }
  await world.stopAll();
  await proxy.close();
  return `The emergencies took ${seconds.join(", ")} s.`;
}
