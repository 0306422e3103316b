import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { accountColumns, type Account } from "../accounts/accounts.ts";
import type { Transports } from "../accounts/open-transports.ts";
import { boundedId } from "../transports/bounded.ts";
import { unreadable, type ProviderEvent, type Webhook, type WebhookCall } from "../transports/webhook.ts";
import { storeEvents } from "./store-events.ts";

/** The account with this webhook key, unless it was removed. */
export async function accountOfWebhook(db: Db, key: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    SELECT ${accountColumns} FROM accounts WHERE webhook_key = ${key} AND deleted_at IS NULL`.execute(db);
  return rows[0];
}

/** `unread`: why the call, or some of its events, can't be read. They are kept. */
type Taken =
  | { added: number; confirm: (() => Promise<void>) | undefined; unread?: unknown }
  | { refused: "forged" | "none" };

/**
 * Verifies a webhook call and stores its events; workers apply them. `added`: how many events were new. A call without new
 * events leaves no trace.
 *
 * - `forged`: the signature is invalid, the call is too old, or its token was already used by a call without events
 * - `none`: the account's provider has no webhook, or this process can't decrypt the account's settings
 */
export async function receiveCall(
  db: Db,
  account: Account,
  transports: Transports,
  call: WebhookCall,
): Promise<Taken> {
  const found = transports.webhookOf(account);
  if (!found) return { refused: "none" };
  const { webhook, settings, apiUrl } = found;
  if (!(await webhook.isGenuine(call, settings, apiUrl))) return { refused: "forged" };
  const given = webhook.token?.(call);
  const token = given === undefined ? undefined : boundedId(given);
  const { events, unread } = readEvents(webhook, call, token);
  if (token !== undefined && events.length === 0) await spend(db, account, token);
  else if (token !== undefined && (await isSpent(db, account, token))) return { refused: "forged" };
  const added = await storeEvents(db, account.id, events, call.body);
  return { added, confirm: webhook.confirm && (() => webhook.confirm!(call)), unread };
}

function readEvents(
  webhook: Pick<Webhook<never>, "read">,
  call: WebhookCall,
  token: string | undefined,
): { events: ProviderEvent[]; unread?: unknown } {
  try {
    const events = webhook.read(call);
    const odd = events.some(({ what }) => what === "unreadable");
    return { events, ...(odd && { unread: new Error("An event of ours doesn't match the documentation") }) };
  } catch (error) {
    const event = unreadable(call.body, call.receivedAt);
    return { events: [token === undefined ? event : { ...event, eventId: token }], unread: error };
  }
}

/**
 * Stores the token of a call without events, for longer than calls are accepted. Other calls need no record: their token is
 * the event's id, which is deduplicated anyway.
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
