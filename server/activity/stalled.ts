import { isolated } from "#contract/text/isolate.ts";
import { messages } from "#contract/text/count-text.ts";
import { sql } from "kysely";
import { channelMeaning, type Channel, type DeliveryStatus } from "#contract/delivery.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { numberText } from "#contract/text/locale.ts";
import type { Db } from "#server/db/database.ts";
import { servingAccounts, slowedText, stateText, type Account } from "#server/delivery/accounts/accounts.ts";

/** Why nothing in a run moves, and what it is waiting for. */

/** The accounts that could send what is waiting. */
export type Senders = { accounts: readonly Account[]; working: boolean; refusing: readonly Refusing[] };

/** An account that refuses a run's message for every recipient. */
type Refusing = { runId: number; channel: Channel; name: string; reason: string };

export async function readSenders(db: Db): Promise<Senders> {
  const [accounts, workers, refusing] = await Promise.all([
    servingAccounts(db),
    sql`SELECT FROM workers WHERE lease_until > now() LIMIT 1`.execute(db),
    sql<Refusing>`
      SELECT h.run_id AS "runId", a.channel, a.name, h.reason FROM refused_contents h
      JOIN accounts a ON a.id = h.account_id AND a.enabled ORDER BY h.at`.execute(db),
  ]);
  return { accounts, working: workers.rows.length > 0, refusing: refusing.rows };
}

type Run = {
  runId: number;
  state: RunProgress["state"];
  simulatedChannels: readonly Channel[];
  counts: readonly { channel: Channel; status: DeliveryStatus; reason: string; count: number }[];
};

/**
 * "waiting for smtp.example.com"; null while something is being sent or can be. `rate`: deliveries settled per second.
 */
export function stalledBy(
  run: Run,
  { accounts, working, refusing }: Senders,
  rate: number | null,
): string | null {
  if (!working) return "waiting for a worker process to start";
  const sum = (status: DeliveryStatus, also: (one: Run["counts"][number]) => boolean = () => true) =>
    run.counts.reduce((all, one) => (one.status === status && also(one) ? all + one.count : all), 0);
  if (run.state === "fanning-out" || sum("sending") > 0) return null;
  const held = heldChannels(run, accounts);
  const queued = sum("queued");
  const onHold = sum("queued", ({ channel }) => held.has(channel));
  const retrying = sum(
    "queued",
    ({ channel, reason }) => !held.has(channel) && (reason === "retrying" || reason === "throttled"),
  );
  const refused = refusing.find(({ runId }) => runId === run.runId);
  if (refused && queued > onHold) return `waiting for ${isolated(refused.name)} to accept this message`;
  if (queued > onHold + retrying) return rate === 0 ? "waiting for other messages to go first" : null;
  if (onHold > 0) return `waiting for ${[...new Set([...held.values()].flatMap(namesOf))].join(" and ")}`;
  return queued > 0
    ? `waiting to retry ${messages(queued)}`
    : `waiting for confirmation of ${messages(sum("uncertain"))}`;
}

type Held = { channel: Channel; accounts: readonly Account[] };

const namesOf = ({ channel, accounts }: Held) =>
  accounts.length === 0
    ? [`an account for ${channelMeaning[channel].spoken}`]
    : accounts.map(({ name }) => isolated(name));

/** Channels with queued messages that no account accepts right now, and their accounts. */
function heldChannels(run: Run, accounts: readonly Account[]): Map<Channel, Held> {
  const queued = run.counts.filter(({ status, count }) => status === "queued" && count > 0);
  const channels = new Set(queued.map(({ channel }) => channel)).difference(new Set(run.simulatedChannels));
  const held = [...channels].map((channel) => ({
    channel,
    // Messages meant to be sent for real wait for a real account.
    accounts: accounts.filter((account) => account.channel === channel && !account.simulated),
  }));
  return new Map(
    held
      // While one account accepts messages, nothing waits for another.
      .filter(
        (one) => !one.accounts.some((account) => account.state === "ok" && slowedText(account) === null),
      )
      .map((one) => [one.channel, one]),
  );
}

/** The same in sentences, with each account's own reason. */
export function waitingNotes(run: Run, { accounts, refusing }: Senders): string[] {
  const refused = refusing
    .filter(({ runId }) => runId === run.runId)
    .map(
      ({ channel, name, reason }) =>
        `${channelMeaning[channel].label}: ${isolated(name)} refuses this message for everyone (“${reason}”). We'll keep trying. ` +
        "If it's about what the message says, cancel it, change it and send it again.",
    );
  const waiting = [...heldChannels(run, accounts).values()].flatMap((held) => {
    const queued = run.counts
      .filter(({ channel, status }) => channel === held.channel && status === "queued")
      .reduce((all, { count }) => all + count, 0);
    const waiting = `${channelMeaning[held.channel].label}: ${numberText(queued)} waiting.`;
    if (held.accounts.length === 0) {
      return [
        `${waiting} No account for ${channelMeaning[held.channel].spoken} is connected anymore. Connect one to send them.`,
      ];
    }
    return held.accounts.map((account) => {
      const slowed = account.state === "ok" ? slowedText(account) : null;
      const why = stateText(account);
      const said = why ? ` (“${why}”)` : "";
      return `${waiting} ${slowed ?? `${isolated(account.name)} isn't accepting messages${said}. We'll send them as soon as it does.`}`;
    });
  });
  return [...refused, ...waiting];
}
