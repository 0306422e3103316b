import { sql } from "kysely";
import type { Role } from "#contract/calls/auth.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { fullName } from "#contract/text/full-name.ts";
import { may, principalOf } from "#contract/permissions.ts";
import type { twoFactor } from "#contract/calls/two-factor.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { SecretBox } from "#server/db/secret-box.ts";
import type { PasskeySite } from "#server/features/auth/passkey-site.ts";
import { hasSecondFactor } from "#server/features/auth/pending-sign-in.ts";
import { type AccountChange, tellOfChange } from "#server/features/credentials/account-notice.ts";
import { lockPerson } from "#server/features/people/stored-person.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { insertPasskey, type NewPasskey, passkeysOf } from "#server/features/two-factor/passkeys.ts";
import {
  makeRecoveryCodes,
  recoveryCodesLeft,
  storeRecoveryCodes,
} from "#server/features/two-factor/recovery-codes.ts";
import { confirmTotp, fitsNewTotp } from "#server/features/two-factor/totp.ts";
import type { By } from "#server/http/route.ts";
import { type BrowserTokens, endSessionsOf, renewSession } from "#server/http/session.ts";

/** A person who changes their own factors, in the browser of `tokens`. */
export type Own = By & { tokens: BrowserTokens };

/** What this session may do has changed, so it has a new token. Without new recovery codes, the others stay. */
type Changed<Codes = string[] | null> = { token: string; recoveryCodes: Codes };

type Overview = Omit<ReplyOf<typeof twoFactor.read>, "passkeyOrigin">;

/** `site`: where passkeys work now. */
export async function readFactors(
  db: Db,
  { user, site }: Pick<By, "user"> & { site: PasskeySite | null },
): Promise<Overview> {
  const [app, passkeys, left, required] = await Promise.all([
    sql<{
      since: Date;
    }>`SELECT created_at AS since FROM totp_secrets WHERE user_id = ${user.id} AND NOT pending`.execute(db),
    passkeysOf(db, user.id, site),
    recoveryCodesLeft(db, user.id),
    requiredFor(db, user.role),
  ]);
  const since = app.rows[0]?.since.toISOString();
  return { app: since === undefined ? null : { since }, passkeys, recoveryCodesLeft: left, required };
}

const requiredFor = async (db: Db, role: Role) =>
  may(principalOf(role), "accounts:write") && (await readSetting(db, "enableTwoFactor"));

/** Turns on an authenticator app. Answers recovery codes with a first factor. Throws invalid-input at `code`, conflict. */
export async function addApp(
  db: Db,
  { box, code, now }: { box: SecretBox; code: string; now: Date },
  own: Own,
): Promise<Changed> {
  const typed = { userId: own.user.id, code, now };
  // Before any work: a typing error costs no recovery codes.
  if (!(await fitsNewTotp(db, box, typed))) throw refusal("setup-code-wrong");
  return addFactor(db, own, async (tx) => {
    const done = await confirmTotp(tx, box, typed);
    if (done === "wrong") throw refusal("setup-code-wrong");
    return done === "replaced"
      ? { change: "authenticator-replaced", detail: { factor: "app", replaced: true }, replaced: true }
      : { change: "authenticator-added", detail: { factor: "app" } };
  });
}

/** Adds a passkey. Answers recovery codes with a first factor. Throws conflict. */
export function addPasskey(
  db: Db,
  { name, passkey }: { name: string; passkey: NewPasskey },
  own: Own,
): Promise<Changed> {
  return addFactor(db, own, async (tx) => {
    await insertPasskey(tx, own.user.id, name, passkey);
    return { change: "passkey-added", detail: { factor: "passkey", name } };
  });
}

type Change = { change: AccountChange; detail: Record<string, unknown>; replaced?: boolean };

async function addFactor(db: Db, own: Own, add: (tx: Db) => Promise<Change>): Promise<Changed> {
  const { user, tokens } = own;
  const made = (await hasSecondFactor(db, user.id)) ? null : await makeRecoveryCodes(db, user.id);
  return transaction(db, async (tx) => {
    await lockPerson(tx, user.id);
    const first = !(await hasSecondFactor(tx, user.id));
    const { change, detail, replaced = false } = await add(tx);
    if (first && made) await storeRecoveryCodes(tx, user.id, made);
    // They were signed in with the password alone, or with what is gone now.
    if ((first && made) || replaced) await endSessionsOf(tx, user.id, tokens);
    await tellOfChange(tx, user.id, change, own);
    const subject = { type: "user", id: user.id };
    await recordAudit(tx, { by: own, action: "two-factor.add", subject, detail });
    const token = await renewSession(tx, tokens.session ?? "");
    return { token, recoveryCodes: first && made ? made.codes : null };
  });
}

/**
 * Returns the session's new token. Throws not-found, and conflict where the settings require a factor and this is the
 * last.
 */
export function removeApp(db: Db, own: Own): Promise<string> {
  return removeFactor(db, own, "authenticator-removed", async (tx) => {
    const gone = await sql<{ pending: boolean }>`
      DELETE FROM totp_secrets WHERE user_id = ${own.user.id} RETURNING pending`.execute(tx);
    return gone.rows.some(({ pending }) => !pending) ? { factor: "app" } : null;
  });
}

/**
 * Returns the session's new token. Throws not-found, and conflict where the settings require a factor and this is the
 * last.
 */
export function removePasskey(db: Db, id: number, own: Own): Promise<string> {
  return removeFactor(db, own, "passkey-removed", async (tx) => {
    const gone = await sql<{ name: string }>`
      DELETE FROM passkeys WHERE id = ${id} AND user_id = ${own.user.id} RETURNING name`.execute(tx);
    const [row] = gone.rows;
    return row ? { factor: "passkey", name: row.name } : null;
  });
}

async function removeFactor(
  db: Db,
  own: Own,
  change: AccountChange,
  remove: (tx: Db) => Promise<Record<string, unknown> | null>,
): Promise<string> {
  const { user, tokens } = own;
  return transaction(db, async (tx) => {
    const { role } = await lockPerson(tx, user.id);
    const detail = await remove(tx);
    if (!detail) throw refusal("factor-removed-already");
    if (!(await hasSecondFactor(tx, user.id))) {
      if (await requiredFor(tx, role)) {
        throw refusal("last-factor");
      }
      await forgetFactors(tx, user.id);
    }
    await endSessionsOf(tx, user.id, tokens);
    await tellOfChange(tx, user.id, change, own);
    const subject = { type: "user", id: user.id };
    await recordAudit(tx, { by: own, action: "two-factor.remove", subject, detail });
    return renewSession(tx, tokens.session ?? "");
  });
}

/** Throws not-found. */
export async function renamePasskey(db: Db, id: number, name: string, by: By): Promise<void> {
  await transaction(db, async (tx) => {
    const before = await sql<{ name: string }>`
      SELECT name FROM passkeys WHERE id = ${id} AND user_id = ${by.user.id} FOR UPDATE`.execute(tx);
    const [row] = before.rows;
    if (!row) throw refusal("passkey-removed");
    await sql`UPDATE passkeys SET name = ${name} WHERE id = ${id}`.execute(tx);
    const subject = { type: "user", id: by.user.id };
    const detail = { changes: { name: [row.name, name] } };
    await recordAudit(tx, { by, action: "two-factor.rename", subject, detail });
  });
}

/** New recovery codes in place of the earlier ones. Throws conflict for someone without a second factor. */
export async function renewRecoveryCodes(db: Db, own: Own): Promise<Changed<string[]>> {
  const { user, tokens } = own;
  const refuseWithout = async (any: Db) => {
    if (await hasSecondFactor(any, user.id)) return;
    throw refusal("no-factor-yet");
  };
  await refuseWithout(db);
  const made = await makeRecoveryCodes(db, user.id);
  return transaction(db, async (tx) => {
    await lockPerson(tx, user.id);
    await refuseWithout(tx);
    await storeRecoveryCodes(tx, user.id, made);
    await tellOfChange(tx, user.id, "recovery-codes", own);
    const subject = { type: "user", id: user.id };
    await recordAudit(tx, { by: own, action: "two-factor.recovery-codes", subject });
    return { token: await renewSession(tx, tokens.session ?? ""), recoveryCodes: made.codes };
  });
}

/** Turns off someone's two-factor authentication and ends their sessions. Returns the name. Throws not-found, conflict. */
export function resetFactors(db: Db, id: number, by: By): Promise<string> {
  return transaction(db, async (tx) => {
    if (id === by.user.id) {
      throw refusal("own-factors-elsewhere");
    }
    const person = await lockPerson(tx, id);
    const name = fullName(person);
    if (!(await hasSecondFactor(tx, id))) {
      throw refusal("person-without-factor", { name });
    }
    await forgetFactors(tx, id);
    await endSessionsOf(tx, id);
    await tellOfChange(tx, id, "two-factor-reset", by);
    await recordAudit(tx, { by, action: "two-factor.reset", subject: { type: "user", id } });
    return name;
  });
}

/** Leaves nothing of a person's factors, nor of a sign-in that waits for one. */
export async function forgetFactors(tx: Db, userId: number): Promise<void> {
  for (const table of ["totp_secrets", "passkeys", "recovery_codes", "pending_sign_ins", "wrong_codes"]) {
    await sql`DELETE FROM ${sql.table(table)} WHERE user_id = ${userId}`.execute(tx);
  }
}
