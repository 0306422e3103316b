import { sql } from "kysely";
import { settingTable } from "#contract/calls/settings.ts";
import type { Role } from "#contract/calls/auth.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import type { api } from "#contract/api.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { forgetSetupCode, hasAccounts } from "#server/features/auth/setup-code.ts";
import { readSetting, writeSettings } from "#server/features/settings/queries.ts";
import type { SessionUser } from "#server/http/route.ts";
import { sessionUser } from "#server/http/session.ts";

/** Mails a person the link by which they confirm their address. */
export type SendConfirmation = (tx: Db, user: SessionUser) => Promise<unknown>;

type Registration = BodyOf<typeof api.auth.register>;

/** Creates the first account, an administrator. Throws a conflict if someone else was first. */
export async function registerFirst(db: Db, form: Registration, ip: string): Promise<SessionUser> {
  const passwordHash = await hashPassword(form.password);
  return transaction(db, async (tx) => {
    await holdUntilCommit(tx, "registration");
    if (await hasAccounts(tx)) {
      throw refusal("administrator-exists");
    }
    const user = await insertAccount(tx, form, { passwordHash, role: "admin", vouched: true, ip });
    if (!user) throw refusal("username-taken");
    await forgetSetupCode(tx);
    await useTimeZone(tx, form.timeZone, { user, ip });
    return user;
  });
}

/** Times are the administrator's from the beginning, whether or not they ever look at the settings. */
async function useTimeZone(
  tx: Db,
  asked: string | undefined,
  by: { user: SessionUser; ip: string },
): Promise<void> {
  const before = await readSetting(tx, "timezone");
  const { data: timezone = before } = settingTable.timezone.schema.safeParse(asked);
  if (timezone === before) return;
  await writeSettings(tx, { timezone }, by.user.id);
  await recordAudit(tx, {
    by,
    action: "setting.save",
    subject: { type: "setting" },
    detail: { changes: changesBetween({ timezone: before }, { timezone }) },
  });
}

/**
 * Open registration: creates a tenant whose address is not confirmed, and never touches an existing person. It does not
 * look whether someone else has that address, so no one can find out. Throws a conflict if the username is taken.
 */
export async function registerTenant(
  db: Db,
  form: Registration,
  { ip, sendConfirmation }: { ip: string; sendConfirmation: SendConfirmation },
): Promise<void> {
  const passwordHash = await hashPassword(form.password);
  await transaction(db, async (tx) => {
    await holdUntilCommit(tx, "registration");
    const user = await insertAccount(tx, form, { passwordHash, role: "tenant", vouched: false, ip });
    if (!user) throw refusal("username-taken");
    await sendConfirmation(tx, user);
  });
}

/** Undefined if the username is taken. */
async function insertAccount(
  tx: Db,
  form: Registration,
  { passwordHash, role, vouched, ip }: { passwordHash: string; role: Role; vouched: boolean; ip: string },
): Promise<SessionUser | undefined> {
  const made = await sql<SessionUser>`
    INSERT INTO users AS u (username, email, first_name, last_name, role, password_hash, password_changed_at,
      address_confirmed_at, self_registered)
    VALUES (${form.username}, ${form.email}, ${form.firstName}, ${form.lastName}, ${role}, ${passwordHash}, now(),
      ${vouched ? sql`now()` : null}, ${!vouched})
    ON CONFLICT DO NOTHING
    RETURNING ${sessionUser}`.execute(tx);
  const [user] = made.rows;
  if (!user) return undefined;
  await recordAudit(tx, {
    by: { user, ip },
    action: "user.register",
    subject: { type: "user", id: user.id },
    detail: { role },
  });
  return user;
}
