import { sql } from "kysely";
import { addressKind } from "#contract/delivery.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { fullName } from "#contract/text/full-name.ts";
import type { integrations } from "#contract/calls/integrations.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { refuseStale } from "#server/db/stale-edit.ts";
import type { SecretBox } from "#server/db/secret-box.ts";
import { type SealedSecrets, sealSecrets } from "#server/delivery/accounts/account-secrets.ts";
import { isBesideSample } from "#server/delivery/accounts/accounts.ts";
import { hintWork, notifyPages } from "#server/delivery/hints.ts";
import type { Transports } from "#server/delivery/accounts/open-transports.ts";
import {
  secretSettings,
  withoutSecrets,
  type TransportAdapter,
} from "#server/delivery/transports/adapter.ts";
import { lockAccount, type StoredAccount } from "#server/features/integrations/queries.ts";
import { refuseUnconfirmed } from "#server/http/authorize.ts";
import type { By, SessionBy } from "#server/http/route.ts";
import { adapterFor, completeSettings } from "./account-settings.ts";

type Create = BodyOf<typeof integrations.create>;
type Update = BodyOf<typeof integrations.update>;
type Parts = { secrets: SecretBox; transports: Pick<Transports, "isEmulated"> };

/**
 * Each worker picks the account up within a second, tests it, and hands it messages once it answers. Throws
 * invalid-input, and conflict where the channel can have no second account or the sample property is loaded.
 */
export async function createAccount(
  db: Db,
  { secrets: box, transports }: Parts,
  body: Create,
  by: By,
): Promise<number> {
  const { channel, kind, enabled, weight, ratePerSecond } = body;
  const adapter = adapterFor(kind, channel);
  const settings = completeSettings(adapter, body.settings, undefined, box);
  const name = body.name || adapter.label;
  const shown = withoutSecrets(adapter, settings);
  return transaction(db, async (tx) => {
    if (enabled) {
      await refuseBesideSample(tx, kind, transports);
      await refuseSecondForDevices(tx, { id: null, channel });
    }
    const { rows } = await sql<{ id: number }>`
      INSERT INTO accounts (channel, kind, name, source, enabled, browser_key, state, retry_at, weight, rate_per_second,
        settings, sender, updated_by)
      VALUES (${channel}, ${kind}, ${name}, 'console', ${enabled}, ${adapter.browserKey?.(settings) ?? null}, 'unchecked', now(),
        ${weight}, ${ratePerSecond}, ${JSON.stringify(shown)}::jsonb, ${senderOf(adapter, settings)}::jsonb,
        ${fullName(by.user)})
      RETURNING id`.execute(tx);
    const { id } = rows[0]!;
    const secrets = sealSecrets(box, id, secretsIn(adapter, settings));
    await sql`UPDATE accounts SET secrets = ${JSON.stringify(secrets)}::jsonb WHERE id = ${id}`.execute(tx);
    await recordAudit(tx, {
      by,
      action: "account.create",
      subject: { type: "account", id },
      detail: { channel, kind, name, enabled, weight, ratePerSecond, settings: shown },
    });
    await tellEveryone(tx);
    return id;
  });
}

/**
 * Throws invalid-input, not-found, password-required where its settings change or it is turned on or off, and conflict
 * where the account is not the console's, someone else has changed it or the sample property is loaded.
 */
export function updateAccount(
  db: Db,
  { secrets: box, transports }: Parts,
  id: number,
  body: Update,
  by: SessionBy,
): Promise<void> {
  return transaction(db, async (tx) => {
    const before = await ownAccount(tx, id);
    refuseStale(body.updatedAt, before.updatedAt, "account");
    const adapter = adapterFor(before.kind, before.channel);
    const { enabled = before.enabled, weight = before.weight, ratePerSecond = before.ratePerSecond } = body;
    const name = body.name === undefined ? before.name : body.name || adapter.label;
    if (enabled) await refuseBesideSample(tx, before.kind, transports);
    if (enabled && !before.enabled) await refuseSecondForDevices(tx, before);
    const settings = body.settings && completeSettings(adapter, body.settings, before, box);
    const shown = settings ? withoutSecrets(adapter, settings) : before.settings;
    const secrets = settings
      ? secretsAfter(adapter, { given: body.settings!, settings, before, box })
      : before.secrets;
    const changes = changesBetween(
      {
        name: before.name,
        enabled: before.enabled,
        weight: before.weight,
        ratePerSecond: before.ratePerSecond,
        settings: before.settings,
      },
      { name, enabled, weight, ratePerSecond, settings: shown },
    );
    const replaced = secretSettings(adapter).filter(
      (setting) => secrets[setting] !== before.secrets[setting],
    );
    // With other settings, its earlier failures no longer count. A new name or share leaves its state alone.
    const reset = "settings" in changes || replaced.length > 0;
    if (reset || "enabled" in changes) refuseUnconfirmed(by.session);
    const afresh = reset || (enabled && !before.enabled);
    await sql`
      UPDATE accounts SET name = ${name}, enabled = ${enabled}, weight = ${weight}, rate_per_second = ${ratePerSecond},
        settings = ${JSON.stringify(shown)}::jsonb, secrets = ${JSON.stringify(secrets)}::jsonb,
        sender = CASE WHEN ${settings !== undefined} THEN ${settings ? senderOf(adapter, settings) : null}::jsonb ELSE sender END,
        -- A test that is under way no longer counts, so the next one is due.
        retry_at = CASE WHEN state = 'unchecked' THEN now() ELSE retry_at END,
        updated_at = now(), updated_by = ${fullName(by.user)}
      WHERE id = ${id}`.execute(tx);
    if (afresh) {
      await sql`
        UPDATE accounts SET state = 'unchecked', state_reason = NULL, state_at = now(), retry_at = now(),
          on_trial = false, setbacks = 0 WHERE id = ${id}`.execute(tx);
    }
    await recordAudit(tx, {
      by,
      action: "account.update",
      subject: { type: "account", id },
      detail: { changes, ...(replaced.length > 0 && { secretsReplaced: replaced }) },
    });
    await tellEveryone(tx);
  });
}

/** Its secrets are deleted immediately. The row stays, because deliveries name it. Throws as `updateAccount` does. */
export function removeAccount(db: Db, id: number, by: By): Promise<void> {
  return transaction(db, async (tx) => {
    const { name, channel, kind } = await ownAccount(tx, id);
    await sql`
      UPDATE accounts SET enabled = false, secrets = '{}', deleted_at = now(), updated_at = now(),
        updated_by = ${fullName(by.user)} WHERE id = ${id}`.execute(tx);
    await recordAudit(tx, {
      by,
      action: "account.remove",
      subject: { type: "account", id },
      detail: { name, channel, kind },
    });
    await tellEveryone(tx);
  });
}

/**
 * A device takes messages of the account it signed up with, and of no other: two accounts could neither share the work
 * nor take over for each other. Throws conflict.
 */
async function refuseSecondForDevices(
  tx: Db,
  { id, channel }: { id: number | null; channel: Create["channel"] },
): Promise<void> {
  if (addressKind(channel) !== "device") return;
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM accounts WHERE channel = ${channel} AND enabled AND NOT simulated
      AND id IS DISTINCT FROM ${id}::bigint LIMIT 1`.execute(tx);
  const [other] = rows;
  if (!other) return;
  throw refusal("another-account-on", { name: other.name });
}

/**
 * The sample's schedules would send real messages, also to people outside the sample, for example to "All Tenants".
 * What an emulator on this computer takes reaches no one. Throws conflict.
 */
async function refuseBesideSample(
  tx: Db,
  kind: string,
  transports: Pick<Transports, "isEmulated">,
): Promise<void> {
  if (transports.isEmulated(kind) || !(await isBesideSample(tx))) return;
  throw refusal("sample-loaded");
}

async function ownAccount(tx: Db, id: number): Promise<StoredAccount> {
  const account = await lockAccount(tx, id);
  if (!account) throw refusal("no-such-account");
  if (account.source === "console") return account;
  throw account.source === "environment"
    ? refusal("account-of-environment", { name: account.name })
    : refusal("sandbox-is-built-in");
}

async function tellEveryone(db: Db): Promise<void> {
  await hintWork(db);
  await notifyPages(db, { type: "providers" });
}

function secretsIn(adapter: TransportAdapter, settings: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    secretSettings(adapter).flatMap((name) => {
      const text = settings[name];
      return typeof text === "string" && text !== "" ? [[name, text]] : [];
    }),
  );
}

/** A secret that was not entered again keeps its ciphertext, so that nothing is opened anew for it. */
function secretsAfter(
  adapter: TransportAdapter,
  {
    given,
    settings,
    before,
    box,
  }: { given: Create["settings"]; settings: Record<string, unknown>; before: StoredAccount; box: SecretBox },
): SealedSecrets {
  const now = secretsIn(adapter, settings);
  const entered = Object.fromEntries(Object.entries(now).filter(([name]) => given[name]));
  const kept = Object.entries(before.secrets).filter(([name]) => name in now && !(name in entered));
  return { ...Object.fromEntries(kept), ...sealSecrets(box, before.id, entered) };
}

function senderOf(adapter: TransportAdapter, settings: Record<string, unknown>): string | null {
  return adapter.sender ? JSON.stringify(adapter.sender(settings)) : null;
}
