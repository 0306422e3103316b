import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Fault } from "./fault.ts";
import type { World } from "./world.ts";

/** Statements that are committed although the process never hears of it. */
export const lostCommits: readonly Fault[] = [
  {
    name: "answers of commits lost while each message is deferred once",
    provider: "smtp",
    people: { small: 100, large: 10_000 },
    run: claimedAgain,
  },
];

/** What is deferred is claimed again under the same token while the statements about its first claim are repeated. */
async function claimedAgain(world: World, people: number): Promise<string> {
  world.provider.mood = "greylisting";
  const first = await world.start({ losesAnswers: true });
  await world.connected();
  await world.send(people);
  await world.until(
    sql`SELECT FROM deliveries WHERE status = 'accepted' HAVING count(*) > ${people / 4}`,
    async () => {
      // Before those that haven't been tried.
      await sql`UPDATE deliveries SET due_at = now() - interval '1 hour'
        WHERE status = 'queued' AND reason = 'retrying' AND due_at > now()`.execute(world.db);
      await sleep(20);
    },
  );
  await world.kill(first);
  await world.start({ losesAnswers: true });
  await world.finished();
  const { again } = await world.ask(sql<{ again: number }>`SELECT count(*)::int AS again FROM (
    SELECT FROM attempts GROUP BY delivery_id, lease_token HAVING count(*) > 1) a`);
  if (again === 0) throw new Error("None was claimed twice by the same process.");
  return `${again} claimed twice by the same process.`;
}
