import type { Db } from "#server/db/database.ts";
import { replanSoon } from "#server/db/prepared.ts";
import { refreshStatistics } from "#server/db/refresh-statistics.ts";
import { FIRST_CHUNK, fanOutSome, nextChunk } from "../runs/fan-out.ts";
import { finishRuns } from "../runs/finish-runs.ts";
import { hintWork } from "../hints.ts";
import type { resendSome } from "../retry/resend.ts";
import type { AccountWorkers } from "./account-workers.ts";

type FanOutOptions = {
  token: number;
  pollMs: number;
  accountWorkers: AccountWorkers;
  onMoved: (deliveries: readonly { runId: number }[]) => void;
};

/** The step of a loop that fans out runs. `others`: what to do when no run needs it. */
export function fanOutStep(
  { token, pollMs, accountWorkers, onMoved }: FanOutOptions,
  { emergency, others }: { emergency: boolean; others?: typeof resendSome },
): (db: Db) => Promise<number> {
  let most = FIRST_CHUNK;
  let peopleSinceReplan = 0;
  return async (db) => {
    const fannedOut = await fanOutSome(db, most, { emergency, sandbox: accountWorkers.sandbox });
    if (fannedOut) {
      // The last chunk is smaller than requested.
      if (!fannedOut.done) most = nextChunk(fannedOut.people, fannedOut.ms);
      peopleSinceReplan += fannedOut.people;
    }
    const grown = peopleSinceReplan >= FIRST_CHUNK;
    if (grown) {
      peopleSinceReplan = 0;
      replanSoon();
    }
    const moved = fannedOut ?? (await others?.(db));
    if (!moved) return pollMs;
    if (!fannedOut || fannedOut.queued) {
      accountWorkers.wake();
      // Other processes have workers for the same accounts.
      await hintWork(db, grown ? "grown" : "queue", token);
    } else if (fannedOut.done) {
      await finishRuns(db, [fannedOut.runId]);
    }
    onMoved([moved]);
    if (grown) await refreshStatistics(db, ["deliveries", "run_people"], { rough: true });
    return 0;
  };
}
