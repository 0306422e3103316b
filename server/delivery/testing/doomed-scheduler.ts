import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { connect } from "#server/db/database.ts";
import { runNextSchedule } from "../schedules/scheduler.ts";
import { dependencies } from "./scene.ts";

/**
 * A scheduler in a process of its own, for tests that kill it. It goes by the time in the table `simulated_clock`, on a
 * watch that is some milliseconds fast.
 */
const [url = "", fast = "0"] = process.argv.slice(2);
const db = connect(url, { max: 1 });
for (;;) {
  const more = await runNextSchedule(db, dependencies, async (tx) => {
    const { rows } = await sql<{ now: Date }>`SELECT now FROM simulated_clock`.execute(tx);
    return new Date(rows[0]!.now.getTime() + Number(fast));
  });
  if (!more) await sleep(5);
}
