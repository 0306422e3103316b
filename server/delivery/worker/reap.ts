import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { emit } from "#server/telemetry/signals.ts";
import type { Recovery } from "#server/delivery/transports/transport.ts";
import type { Transports } from "../accounts/open-transports.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { openMonths } from "../open-months.ts";
import { SUSPECT_AFTER } from "./claim.ts";
import { backoffMs, decide, type History } from "./decide.ts";
import { recordEach, type Change, type Recorded } from "./record.ts";
import { takeOverJournals } from "./journal.ts";

const SOME = 500;

type Orphan = History & {
  id: number;
  token: number;
  claim: number;
  begun: boolean;
  lostLeases: number;
  accountId: number;
  kind: string;
};

/**
 * Takes over what dead workers had claimed. What ended according to their journals is settled. A delivery that had not
 * begun goes back to the queue; one that had begun is uncertain, as if its answer had never come. Each change is only
 * written if no one was faster.
 */
export async function reapDeadWorkers(
  db: Db,
  transports: Transports,
  random: () => number,
  onError: (error: unknown) => void = throwIt,
): Promise<Recorded[]> {
  const settled: Recorded[] = [];
  for (const { ended, part } of await takeOverJournals(db)) {
    // One that can't be settled must not keep the others waiting.
    try {
      settled.push(...(await recordEach(db, ended, part, onError)));
    } catch (error) {
      onError(error);
    }
  }
  const inOpenMonths = inMonthsOf(sql`d.run_id`, await openMonths(db));
  const { rows } = await sql<Orphan>`
    SELECT d.id, d.lease_token AS token, d.claims AS claim, d.begun_at IS NOT NULL AS begun, d.channel, d.priority, d.failures,
      d.unconfirmed, d.lost_leases AS "lostLeases", p.id AS "accountId", p.kind
    FROM deliveries d JOIN accounts p ON p.id = d.account_id
    WHERE d.status = 'sending' AND ${inOpenMonths}
      AND NOT EXISTS (SELECT FROM workers w WHERE w.token = d.lease_token)
      AND NOT EXISTS (SELECT FROM worker_journal j WHERE j.token = d.lease_token)
    ORDER BY d.id LIMIT ${SOME}`.execute(db);
  const changes = rows.map((orphan) => takenOver(orphan, transports.recoveryOf(orphan), random));
  const takenOverNow = await recordEach(db, changes, undefined, onError);
  const moved = [...settled, ...takenOverNow];
  const begun = rows.filter((orphan) => orphan.begun).length;
  emit("takenOver", { begun, notBegun: rows.length - begun });
  if (rows.length === SOME) return [...moved, ...(await reapDeadWorkers(db, transports, random, onError))];
  return moved;
}

function throwIt(error: unknown): never {
  throw error;
}

function takenOver(orphan: Orphan, recovery: Recovery, random: () => number): Change {
  const { id, token, claim, begun, accountId, lostLeases } = orphan;
  const base = { id, token, claim, was: "sending" as const, begun };
  if (begun) {
    const detail = "The process sending it ended before the provider answered.";
    const outcome = { kind: "uncertain" as const, code: "process_ended", detail };
    return {
      ...base,
      ...decide(outcome, orphan, recovery, random),
      attempt: { accountId, outcome: outcome.kind, code: outcome.code, words: detail },
    };
  }
  return {
    ...base,
    status: "queued",
    reason: "handed-back",
    detail: null,
    // Nothing of it was sent, so its process may have died for another reason: only its own time limit ends it. One
    // that was sent alone waits longer each time, so that it cannot keep killing workers.
    delayMs: lostLeases < SUSPECT_AFTER ? null : backoffMs(lostLeases - SUSPECT_AFTER, random),
    lostLease: true,
    event: "taken-over",
  };
}
