import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { accountColumns } from "../accounts.ts";
import type { Account } from "../accounts.ts";
import type { Transports } from "../open-transports.ts";
import type { ProviderEvent, WebhookCall } from "../transports/webhook.ts";
import { storeEvents } from "./store-events.ts";

/** The account whose webhook has this key, while it is not removed. */
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
 * - `forged`: the provider did not make this call, or so long ago that someone may be repeating it
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
  let events: ProviderEvent[];
  try {
    events = webhook.read(call);
  } catch (error) {
    return { refused: "unreadable", error };
  }
  const added = await storeEvents(db, account.id, events, call.body);
  return { added, confirm: webhook.confirm && (() => webhook.confirm!(call)) };
}
