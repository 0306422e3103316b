import pLimit from "p-limit";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { accountColumns, type Account } from "../accounts/accounts.ts";
import type { Transports } from "../accounts/open-transports.ts";
import type { LookUp } from "../transports/transport.ts";
import { openMonths } from "../open-months.ts";
import { mayRepeat, type History } from "./decide.ts";
import { isSilent } from "./hedge.ts";
import { record, type Change, type Recorded } from "./record.ts";

const SOME = 500;
/** Longer than a transport takes to look up a message. */
const LOOK_UP_MS = 40_000;
/** Questions to a provider at one time. */
const QUESTIONS = 4;
/** The pause before a provider that did not answer the question is asked again. */
const ASK_AGAIN_MS = 60_000;
const STILL_ASKING = "The provider didn't say whether it has this message. We ask again every minute.";

type Unanswered = History & {
  id: number;
  token: number;
  claim: number;
  begun: boolean;
  accountId: number | null;
  reference: string;
  over: boolean;
};

/**
 * Decides deliveries without an answer or a receipt: asks the provider where that is possible, until it answers or the
 * delivery is over, and otherwise sends once more, or gives up.
 */
export async function decideUnconfirmed(db: Db, transports: Transports): Promise<Recorded[]> {
  const inOpenMonths = inMonthsOf(sql`d.run_id`, await openMonths(db));
  const { rows } = await sql<Unanswered>`
    SELECT d.id, d.lease_token AS token, d.claims AS claim, d.begun_at IS NOT NULL AS begun, d.channel, d.priority, d.failures,
      d.unconfirmed, d.account_id AS "accountId", (r.state = 'cancelled' OR d.expires_at <= now()) AS over,
      concat(v.compiled ->> 'key', '-', d.id, CASE WHEN d.round > 0 THEN 'r' || d.round END) AS reference
    FROM deliveries d JOIN runs r ON r.id = d.run_id JOIN content_versions v ON v.id = r.content_version_id
    WHERE d.status = 'uncertain' AND d.due_at <= now() AND ${inOpenMonths} ORDER BY d.due_at LIMIT ${SOME}`.execute(
    db,
  );
  if (rows.length === 0) return [];
  const found = await lookUps(db, transports, rows);
  const moved = await record(
    db,
    rows.map((delivery) => decided(delivery, found.get(delivery.id))),
  );
  // Ends with a provider that is silent, so that one pass never waits for it twice.
  const silent = [...found.values()].some((lookUp) => "unanswered" in lookUp);
  return rows.length === SOME && !silent ? [...moved, ...(await decideUnconfirmed(db, transports))] : moved;
}

function decided(delivery: Unanswered, lookUp: LookUp | undefined): Change {
  const { id, token, claim, begun, over, unconfirmed } = delivery;
  const base = { id, token, claim, was: "uncertain" as const, begun, detail: null };
  const again = { ...base, status: "queued", reason: "retrying", delayMs: 0, event: "repeated" } as const;
  if (lookUp && "found" in lookUp) {
    // It certainly has nothing, however often it was tried.
    if (!lookUp.found) return again;
    const { messageId } = lookUp;
    return { ...base, status: "accepted", reason: null, delayMs: null, messageId, event: "answered-late" };
  }
  // A provider that can be asked may have it: a second copy is only sent once it says that it does not.
  if (lookUp && !over) {
    return {
      ...base,
      status: "uncertain",
      reason: "unconfirmed",
      detail: STILL_ASKING,
      delayMs: ASK_AGAIN_MS,
    };
  }
  return mayRepeat(delivery) && unconfirmed <= 1 && !over
    ? again
    : { ...base, status: "failed", reason: "unconfirmed", delayMs: null };
}

/** What the accounts that can be asked say, by delivery. One that does not answer is not asked on. */
async function lookUps(
  db: Db,
  transports: Transports,
  deliveries: readonly Unanswered[],
): Promise<Map<number, LookUp>> {
  const ids = deliveries.map(({ accountId }) => accountId);
  const { rows: accounts } = await sql<Account>`
    SELECT ${accountColumns} FROM accounts WHERE id = ANY(${ids}::bigint[]) AND deleted_at IS NULL`.execute(
    db,
  );
  const found = new Map<number, LookUp>();
  const askAll = async (account: Account) => {
    if (transports.recoveryOf(account) !== "queryable") return;
    const ask = transports.of(account)?.lookUp;
    let silent: LookUp | undefined = ask ? undefined : { unanswered: "The account can't be opened here" };
    const limit = pLimit(QUESTIONS);
    const its = deliveries.filter(({ accountId }) => accountId === account.id);
    await limit.map(its, async ({ id, reference }) => {
      const answer = silent ?? (await withinLimit(ask!(reference)));
      if ("unanswered" in answer) silent = answer;
      found.set(id, answer);
    });
  };
  await Promise.all(accounts.map(askAll));
  return found;
}

/** A transport that breaks its promise to answer must not stop the others from being asked. */
async function withinLimit(asked: Promise<LookUp>): Promise<LookUp> {
  return (await isSilent(asked, LOOK_UP_MS)) ? { unanswered: "The lookup hung" } : asked;
}
