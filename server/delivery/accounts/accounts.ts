import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import type { ProviderState } from "#contract/calls/integrations.ts";
import { type AccountReason, storedAccountReason } from "#contract/refusals/account-reasons.ts";
import { channelsTurnedOff } from "#server/audience/person.ts";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { SealedSecrets } from "./account-secrets.ts";
import { withoutSecrets, type TransportAdapter } from "../transports/adapter.ts";

export type AccountSender = { name: string; address: string };

/** An account configured by the environment. Its secrets never reach the database. */
export type EnvironmentAccount = {
  /** Distinguishes it from the environment's other accounts, so that a restart finds its row. */
  key: string;
  adapter: TransportAdapter;
  channel: Channel;
  /** The name people see: "smtp.example.com". */
  name: string;
  /** Its share among the channel's accounts, 0 to 100; 0: it only takes what the others cannot. */
  weight: number;
  /** Messages per second across all processes; undefined: no limit. */
  ratePerSecond?: number | undefined;
  /** The sender that recipients see. Without a name, the site name is used. */
  sender?: AccountSender | undefined;
  settings: Record<string, unknown>;
};

export type Account = {
  id: number;
  channel: Channel;
  kind: string;
  name: string;
  /** For an account from the environment; null if its settings hold everything needed to open it. */
  environmentKey: string | null;
  settings: Record<string, unknown>;
  secrets: SealedSecrets;
  /** In the address of its webhook. */
  webhookKey: string;
  /** Another one once its settings were changed. */
  revision: string;
  weight: number;
  /** The Sandbox: nothing leaves this installation. */
  simulated: boolean;
  state: "unchecked" | "ok" | "resting" | "paused";
  /** What a provider said, or `stateBecause` in words. */
  stateReason: string | null;
  stateBecause: AccountReason | null;
  /** Until this time it gets no messages, or only emergencies. */
  retryAt: Date | null;
  /** It works but asked us to slow down for this many seconds. Null if it did not, or the time is over. */
  slowedSeconds: number | null;
  ratePerSecond: number | null;
  setbacks: number;
  /** Set back by its answers to messages: it is tested with one message at a time. */
  onTrial: boolean;
};

export const accountColumns = sql`id, channel, kind, name, environment_key AS "environmentKey", settings, secrets,
  webhook_key AS "webhookKey", updated_at::text AS revision, weight, simulated, state, state_reason AS "stateReason",
  state_because AS "stateBecause",
  retry_at AS "retryAt", rate_per_second AS "ratePerSecond", setbacks, on_trial AS "onTrial",
  CASE WHEN state = 'ok' AND retry_at > now() THEN ceil(extract(epoch FROM retry_at - now()))::int END
    AS "slowedSeconds"`;

/**
 * Records the environment's accounts and switches off those it no longer names. Only for processes that send, which all
 * get the same accounts. A new account is unchecked: it gets messages once its test succeeds. While the sample property
 * is loaded none is used, because its schedules would send real messages.
 * @returns what to warn of, as text
 */
export function recordAccounts(db: Db, given: readonly EnvironmentAccount[]): Promise<string[]> {
  return transaction(db, async (tx) => {
    const accounts = (await isBesideSample(tx)) ? given.filter(({ adapter }) => adapter.simulated) : given;
    const unused = given.filter((account) => !accounts.includes(account)).map(({ name }) => name);
    const keys = accounts.map(({ key }) => key);
    const { rows: off } = await sql<{ name: string }>`
      UPDATE accounts SET enabled = false
      WHERE source = 'environment' AND enabled AND environment_key <> ALL(${keys}::text[])
      RETURNING name`.execute(tx);
    for (const { key, adapter, channel, name, weight, ratePerSecond, sender, settings } of accounts) {
      await sql`
        INSERT INTO accounts AS a
          (environment_key, channel, kind, name, source, simulated, settings, weight, state, retry_at, rate_per_second,
            sender)
        VALUES (${key}, ${channel}, ${adapter.kind}, ${name}, 'environment', ${adapter.simulated ?? false},
          ${JSON.stringify(withoutSecrets(adapter, settings))}::jsonb, ${weight}, 'unchecked', now(),
          ${ratePerSecond ?? null}, ${sender ? JSON.stringify(sender) : null}::jsonb)
        ON CONFLICT (environment_key) DO UPDATE SET
          enabled = true, name = excluded.name, settings = excluded.settings, weight = excluded.weight,
          rate_per_second = excluded.rate_per_second, sender = excluded.sender,
          state = CASE WHEN a.state = 'ok' OR a.on_trial AND a.settings = excluded.settings THEN a.state
            ELSE 'unchecked' END,
          on_trial = a.on_trial AND a.settings = excluded.settings, retry_at = now()`.execute(tx);
    }
    return [
      ...unused.map(
        (name) =>
          `${name} isn't used while the sample property is loaded. Remove the sample property and restart Porchlight.`,
      ),
      ...off
        .filter(({ name }) => !unused.includes(name))
        .map(({ name }) => `${name} is no longer configured, so nothing will be sent through it.`),
    ];
  });
}

/** Whether the sample property is loaded. It is neither loaded nor removed until the transaction ends. */
export async function isBesideSample(tx: Db): Promise<boolean> {
  await holdUntilCommit(tx, "sample");
  const { rows } = await sql`SELECT FROM sample_rows LIMIT 1`.execute(tx);
  return rows.length > 0;
}

/**
 * Every account that messages may be waiting for. A run decides at its start which of its channels go to the Sandbox,
 * so the Sandbox stays in use beside an account that was connected later.
 */
export async function enabledAccounts(db: Db): Promise<Account[]> {
  const { rows } = await sql<Account>`
    SELECT ${accountColumns} FROM accounts WHERE enabled ORDER BY id`.execute(db);
  return rows;
}

/** The accounts for what is sent now: every enabled account, or the Sandbox for a channel without one. */
export async function servingAccounts(db: Db): Promise<Account[]> {
  const enabled = await enabledAccounts(db);
  const real = new Set(enabled.filter(({ simulated }) => !simulated).map(({ channel }) => channel));
  return enabled.filter(({ simulated, channel }) => !simulated || !real.has(channel));
}

/** The channels that currently deliver to the Sandbox. */
export async function simulatedChannels(db: Db): Promise<Set<Channel>> {
  const serving = await servingAccounts(db);
  return new Set(serving.filter(({ simulated }) => simulated).map(({ channel }) => channel));
}

/** Whether a message on this channel currently leaves: not into the Sandbox, nor turned off by the settings. */
export async function channelWorks(db: Db, channel: Channel): Promise<boolean> {
  return !(await simulatedChannels(db)).has(channel) && !(await channelsTurnedOff(db)).includes(channel);
}

/** The state of each channel's accounts together, as text, and how many messages wait for them. */
export async function accountStates(db: Db): Promise<ProviderState[]> {
  const serving = Map.groupBy(await servingAccounts(db), ({ channel }) => channel);
  const waiting = await waitingMessages(db);
  return [...serving].map(([channel, accounts]) => {
    // A click checks the account that needs it most.
    const { id, kind } = accounts.find(({ state }) => state === "paused") ?? accounts[0]!;
    const name = accounts.map((account) => account.name).join(", ");
    const paused = pausedOf(accounts);
    return { id, channel, kind, name, paused, waiting: waiting.get(channel) ?? 0, ...together(accounts) };
  });
}

/** How many messages that are meant to leave wait on each channel. */
export async function waitingMessages(db: Db): Promise<ReadonlyMap<Channel, number>> {
  const { rows } = await sql<{ channel: Channel; count: number }>`
    SELECT c.channel, sum(c.count)::int AS count FROM run_counts c JOIN runs r ON r.id = c.run_id
    WHERE r.state IN ('fanning-out', 'sending') AND c.status = 'queued' AND c.channel <> ALL (r.simulated_channels)
    GROUP BY c.channel`.execute(db);
  return new Map(rows.map(({ channel, count }) => [channel, count]));
}

export const pausedOf = (accounts: readonly Account[]): ProviderState["paused"] =>
  accounts
    .filter(({ state }) => state === "paused")
    .map((account) => ({ id: account.id, name: account.name, reason: accountState(account).reason }));

/** A channel works while one of its accounts does, and is broken when none does and one is paused. */
function together(accounts: readonly Account[]): Pick<ProviderState, "state" | "reason"> {
  const each = accounts.map((account) => ({ name: account.name, ...accountState(account) }));
  if (each.length === 1) return { state: each[0]!.state, reason: each[0]!.reason };
  const reason = each.map((one) => `${one.name}: ${one.reason}`).join(" ");
  if (each.some(({ state }) => state === "Connected")) return { state: "Connected", reason };
  return { state: each.some(({ state }) => state === "Error") ? "Error" : "Not connected", reason };
}

/** Why it is in its state, in words. */
export const stateText = ({ stateBecause, stateReason }: Pick<Account, "stateBecause" | "stateReason">) =>
  storedAccountReason(stateBecause, stateReason);

/** The state of one account, as text. */
export function accountState(account: Account): Pick<ProviderState, "state" | "reason"> {
  const { simulated, name, state } = account;
  const stateReason = stateText(account);
  if (simulated) {
    return {
      state: "Sandbox",
      reason: "No provider is connected. Messages stay in Porchlight, marked simulated.",
    };
  }
  switch (state) {
    case "ok":
      return {
        state: "Connected",
        reason: slowedText(account) ?? (stateReason || `${name} is accepting messages.`),
      };
    case "unchecked":
      return { state: "Not connected", reason: `${name} has not answered yet.` };
    case "resting":
      return { state: "Not connected", reason: stateReason || `${name} cannot be reached.` };
    case "paused":
      return { state: "Error", reason: stateReason || `${name} is rejecting our messages.` };
    default:
      return state satisfies never;
  }
}

/** Says that it works but asked us to slow down, and for how long; null if it did not. */
export function slowedText({ name, slowedSeconds }: Account): string | null {
  if (slowedSeconds === null) return null;
  const seconds = slowedSeconds === 1 ? "1 second" : `${slowedSeconds} seconds`;
  return `${name} asked us to slow down. For ${seconds}, we'll only send emergencies through it.`;
}
