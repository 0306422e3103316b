import { sql } from "kysely";
import type { Channel as ChannelName } from "#contract/delivery.ts";
import { channels as channelNames } from "#contract/delivery.ts";
import type { ProviderState } from "#contract/shell.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { Channel } from "./transports/transport.ts";

export type AccountSender = { name: string; address: string };

/** An account that the environment configures. Its secrets stay in `open` and never reach the database. */
export type Account = {
  channel: ChannelName;
  /** The provider, as in `providers.kind`: "smtp". */
  kind: string;
  /** As people read it: "smtp.example.com". */
  name: string;
  /** Messages a second over all processes; undefined: no limit. */
  ratePerSecond?: number | undefined;
  /** What recipients see as the sender; without a name of its own the site's stands there. */
  sender?: AccountSender | undefined;
  open(): Channel;
};

/** The channel objects of this process, each opened when it is first needed. */
export type Channels = {
  /** Null when this process has no account for that provider. */
  of(provider: Pick<ProviderRow, "channel" | "kind">): Channel | null;
  close(): Promise<void>;
};

export function openChannels(
  accounts: readonly Account[],
  sandbox: (channel: ChannelName) => Channel,
): Channels {
  const open = new Map<string, Channel>();
  return {
    of({ channel, kind }) {
      const key = `${channel} ${kind}`;
      const known = open.get(key);
      if (known) return known;
      const account = accounts.find((a) => a.channel === channel && a.kind === kind);
      const made = kind === "sandbox" ? sandbox(channel) : (account?.open() ?? null);
      if (made) open.set(key, made);
      return made;
    },
    async close() {
      await Promise.all([...open.values()].map((channel) => channel.close()));
    },
  };
}

export type ProviderRow = {
  id: number;
  channel: ChannelName;
  kind: string;
  name: string;
  state: "unchecked" | "ok" | "resting" | "paused";
  stateReason: string | null;
  /** Until then nothing is handed to it, or nothing but emergencies. */
  retryAt: Date | null;
  /** It works and has asked us to slow down: for so long. Null: it has not, or the time is over. */
  slowedSeconds: number | null;
  ratePerSecond: number | null;
  setbacks: number;
};

export const providerColumns = sql`id, channel, kind, name, state, state_reason AS "stateReason",
  retry_at AS "retryAt", rate_per_second AS "ratePerSecond", setbacks,
  CASE WHEN state = 'ok' AND retry_at > now() THEN ceil(extract(epoch FROM retry_at - now()))::int END
    AS "slowedSeconds"`;

/**
 * Writes down the environment's accounts, and switches off those that it no longer names: for those who send, who are
 * all given the same accounts. A new one is unchecked: it gets messages once its test has succeeded.
 *
 * @returns the names of those that were switched off
 */
export function recordAccounts(db: Db, accounts: readonly Account[]): Promise<string[]> {
  return transaction(db, async (tx) => {
    const kinds = accounts.map(({ channel, kind }) => `${channel} ${kind}`);
    const { rows: off } = await sql<{ name: string }>`
      UPDATE providers SET enabled = false
      WHERE source = 'environment' AND enabled AND channel || ' ' || kind <> ALL(${kinds}::text[])
      RETURNING name`.execute(tx);
    for (const { channel, kind, name, ratePerSecond, sender } of accounts) {
      await sql`
        INSERT INTO providers AS p (channel, kind, name, source, state, retry_at, rate_per_second, sender)
        VALUES (${channel}, ${kind}, ${name}, 'environment', 'unchecked', now(), ${ratePerSecond ?? null},
          ${sender ? JSON.stringify(sender) : null}::jsonb)
        ON CONFLICT (channel, source, kind) DO UPDATE SET
          enabled = true, name = excluded.name, rate_per_second = excluded.rate_per_second,
          sender = excluded.sender,
          state = CASE WHEN p.state = 'ok' AND p.name = excluded.name THEN 'ok' ELSE 'unchecked' END,
          retry_at = now()`.execute(tx);
    }
    return off.map(({ name }) => name);
  });
}

/** Who serves each channel: a configured account, else the Sandbox. */
export async function activeProviders(db: Db): Promise<Map<ChannelName, ProviderRow>> {
  const { rows } = await sql<ProviderRow>`
    SELECT DISTINCT ON (channel) ${providerColumns} FROM providers WHERE enabled
    ORDER BY channel, (kind = 'sandbox'), id`.execute(db);
  return new Map(rows.map((row) => [row.channel, row]));
}

/** The channels that deliver into the Sandbox at present. */
export async function simulatedChannels(db: Db): Promise<Set<ChannelName>> {
  const active = await activeProviders(db);
  return new Set(channelNames.filter((channel) => active.get(channel)?.kind === "sandbox"));
}

/** How the account behind each channel stands, in words, and how many messages wait for it. */
export async function providerStates(db: Db): Promise<ProviderState[]> {
  const active = await activeProviders(db);
  const waiting = await sql<{ channel: ChannelName; count: number }>`
    SELECT c.channel, sum(c.count)::int AS count FROM run_counts c JOIN runs r ON r.id = c.run_id
    WHERE r.state IN ('fanning-out', 'sending') AND c.status = 'queued' GROUP BY c.channel`.execute(db);
  return channelNames.flatMap((channel) => {
    const provider = active.get(channel);
    const count = waiting.rows.find((row) => row.channel === channel)?.count ?? 0;
    if (!provider) return [];
    const { id, kind, name } = provider;
    return [{ id, channel, kind, name, waiting: count, ...inWords(provider) }];
  });
}

function inWords(provider: ProviderRow): Pick<ProviderState, "state" | "reason"> {
  const { kind, name, state, stateReason } = provider;
  if (kind === "sandbox") {
    return {
      state: "Sandbox",
      reason: "No provider is connected. Messages stay in Porchlight, marked simulated.",
    };
  }
  switch (state) {
    case "ok":
      return {
        state: "Connected",
        reason: slowedWords(provider) ?? (stateReason || `${name} takes messages.`),
      };
    case "unchecked":
      return { state: "Not connected", reason: `${name} has not answered yet.` };
    case "resting":
      return { state: "Not connected", reason: stateReason || `${name} cannot be reached.` };
    case "paused":
      return { state: "Error", reason: stateReason || `${name} takes nothing from us.` };
    default:
      return state satisfies never;
  }
}

/** That it works but has asked us to slow down, and for how long; null while it has not. */
export function slowedWords({ name, slowedSeconds }: ProviderRow): string | null {
  if (slowedSeconds === null) return null;
  const seconds = slowedSeconds === 1 ? "1 second" : `${slowedSeconds} seconds`;
  return `${name} asks us to slow down: for ${seconds} only emergencies are handed to it.`;
}
