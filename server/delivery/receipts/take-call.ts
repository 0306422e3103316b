import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { accountColumns } from "../accounts.ts";
import type { Account } from "../accounts.ts";
import type { Transports } from "../open-transports.ts";
import type { ProviderEvent, WebhookCall } from "../transports/webhook.ts";
import { storeEvents } from "./store-events.ts";

/** The account with this webhook key, unless it was removed. */
export async function accountOfWebhook(db: Db, key: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    SELECT ${accountColumns} FROM accounts WHERE webhook_key = ${key} AND deleted_at IS NULL`.execute(db);
  return rows[0];
}

export type Taken =
  | { added: number; confirm: (() => Promise<void>) | undefined }
  | { refused: "forged" | "unreadable" | "none"; error?: unknown };

/**
 * Stores what a genuine call tells; workers apply it. `added`: how many of its events were not known yet. A call that
 * brings nothing new leaves no trace.
 *
 * - `forged`: the provider did not make this call, or so long ago that someone may be repeating it, or its token came
 *   with a call that told nothing
 * - `unreadable`: it did, and we do not understand it
 * - `none`: the account's provider has no webhook, or this process cannot read the account's settings
 */
export async function takeCall(
  db: Db,
  account: Account,
  transports: Transports,
  call: WebhookCall,
): Promise<Taken> {
  const found = transports.webhookOf(account);
  if (!found) return { refused: "none" };
  const { webhook, settings, apiUrl } = found;
  if (!(await webhook.isGenuine(call, settings, apiUrl))) return { refused: "forged" };
  const token = webhook.token?.(call);
  let events: ProviderEvent[];
  try {
    events = webhook.read(call);
  } catch (error) {
    if (token !== undefined) await spend(db, account, token);
    return { refused: "unreadable", error };
  }
  if (token !== undefined && events.length === 0) await spend(db, account, token);
  else if (token !== undefined && (await isSpent(db, account, token))) return { refused: "forged" };
  const added = await storeEvents(db, account.id, events, call.body);
  return { added, confirm: webhook.confirm && (() => webhook.confirm!(call)) };
}

/**
 * Keeps the token of a call that told nothing, for longer than any of its provider's calls is taken. That of another
 * call is its event's id, which is known anyway.
 */
async function spend(db: Db, { id }: Account, token: string): Promise<void> {
  await sql`INSERT INTO webhook_tokens (account_id, token, expires_at) VALUES (${id}, ${token}, now() + interval '1 day')
    ON CONFLICT DO NOTHING`.execute(db);
}

async function isSpent(db: Db, { id }: Account, token: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM webhook_tokens WHERE account_id = ${id} AND token = ${token}`.execute(db);
  return rows.length > 0;
}
