import { sql } from "kysely";
import type { Account as AccountReply } from "#contract/calls/integrations.ts";
import type { Db } from "#server/db/database.ts";
import type { SecretBox } from "#server/db/secret-box.ts";
import { openSecrets } from "#server/delivery/accounts/account-secrets.ts";
import { accountColumns, accountState, type Account } from "#server/delivery/accounts/accounts.ts";
import { webhookUrlOf } from "#server/delivery/accounts/open-transports.ts";
import { isLoopback } from "#server/delivery/transports/loopback.ts";
import { adapters } from "#server/delivery/transports/registry.ts";

export type StoredAccount = Account & {
  source: AccountReply["source"];
  enabled: boolean;
  stateAt: Date;
  updatedAt: Date;
  updatedBy: string | null;
};

const columns = sql`${accountColumns}, source, enabled, state_at AS "stateAt", updated_at AS "updatedAt",
  updated_by AS "updatedBy"`;

/** An account that was not removed. */
export async function findAccount(db: Db, id: number): Promise<StoredAccount | undefined> {
  const { rows } = await sql<StoredAccount>`
    SELECT ${columns} FROM accounts WHERE id = ${id} AND deleted_at IS NULL`.execute(db);
  return rows[0];
}

/** The same, locked until the transaction ends. */
export async function lockAccount(tx: Db, id: number): Promise<StoredAccount | undefined> {
  await sql`SELECT FROM accounts WHERE id = ${id} FOR UPDATE`.execute(tx);
  return findAccount(tx, id);
}

type Listed = StoredAccount & {
  lastEventAt: Date | null;
  reported: boolean;
  mailbox: { problem: string | null; readAt: string | null } | null;
};

/**
 * Every account except those that the environment no longer configures. `tails`: with the last characters of
 * secrets. `webhooks`: with the addresses of webhooks.
 */
export async function readAccounts(
  db: Db,
  secrets: SecretBox,
  { tails: shown, webhooks, publicUrl }: { tails: boolean; webhooks: boolean; publicUrl: URL },
): Promise<AccountReply[]> {
  const { rows } = await sql<Listed>`
    SELECT ${columns}, reported_at IS NOT NULL AS reported, (SELECT max(received_at) FROM webhook_calls c WHERE c.account_id = accounts.id) AS "lastEventAt",
      (SELECT jsonb_build_object('problem', problem, 'readAt', read_at) FROM bounce_mailboxes b
       WHERE b.account_id = accounts.id AND (read_at IS NOT NULL OR problem IS NOT NULL)) AS mailbox
    FROM accounts WHERE deleted_at IS NULL AND (enabled OR source = 'console')
    ORDER BY channel, simulated, id`.execute(db);
  const real = new Set(
    rows.filter(({ enabled, simulated }) => enabled && !simulated).map((row) => row.channel),
  );
  return rows.map((row) => ({
    id: row.id,
    channel: row.channel,
    kind: row.kind,
    provider: adapters.find(({ kind }) => kind === row.kind)?.label ?? row.kind,
    name: row.name,
    source: row.source,
    enabled: row.enabled,
    serving: row.enabled && (!row.simulated || !real.has(row.channel)),
    weight: row.weight,
    ratePerSecond: row.ratePerSecond,
    ...accountState(row),
    stateAt: row.stateAt.toISOString(),
    settings: row.settings as AccountReply["settings"],
    secrets: tails(row, secrets, shown),
    webhook: webhookOf(row, webhooks, publicUrl),
    bounceMailbox: row.mailbox && {
      problem: row.mailbox.problem,
      readAt: row.mailbox.readAt && new Date(row.mailbox.readAt).toISOString(),
    },
    updatedAt: row.updatedAt.toISOString(),
    updatedBy: row.updatedBy,
  }));
}

function webhookOf(row: Listed, shown: boolean, publicUrl: URL): AccountReply["webhook"] {
  const adapter = adapters.find(({ kind }) => kind === row.kind);
  if (!adapter?.webhook) return null;
  const { key } = adapter.webhook;
  return {
    url: shown ? webhookUrlOf(row, publicUrl) : null,
    setUp: adapter.webhook.setUp ?? `Paste this address into ${adapter.label}'s webhook settings.`,
    localOnly: isLoopback(publicUrl.hostname),
    lastEventAt: row.lastEventAt?.toISOString() ?? null,
    reported: row.reported,
    automatic: adapter.webhook.automatic ?? false,
    missing: key !== undefined && !row.secrets[key] && !row.settings[key] ? key : null,
  };
}

/** Four characters of a long secret tell it from another and help no one to guess it. */
const LONG = 12;

function tails({ id, secrets }: Account, box: SecretBox, shown: boolean): AccountReply["secrets"] {
  const each = Object.entries(secrets).map(([name, sealed]): [string, string | null] => {
    try {
      const text = openSecrets(box, id, { [name]: sealed })[name]!;
      return [name, shown && text.length >= LONG ? text.slice(-4) : ""];
    } catch {
      return [name, null];
    }
  });
  return Object.fromEntries(each);
}
