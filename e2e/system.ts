import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth, type Role } from "#contract/calls/auth.ts";
import { csv } from "#contract/calls/csv.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { createDatabase, query } from "#server/testing/database-server.ts";
import { pushServiceEmulator, type PushServiceEmulator } from "#emulators/web-push.ts";
import { caller, request, type Caller } from "./caller.ts";
import { startMailSink, type MailSink } from "./mail-sink.ts";
import { startPorchlight, type Porchlight } from "./porchlight.ts";
import type { Run } from "./run.ts";

/** Porchlight with its own mail server. */
export type System = {
  server: Porchlight;
  mail: MailSink;
  stop: () => Promise<void>;
};

export type Account = { firstName: string; lastName: string; username: string; password: string };

/** A system on which an administrator, a staff member and a tenant have accounts. */
export type StaffedSystem = System & {
  accounts: Record<Role, Account>;
  /** The Cookie headers of their sessions. */
  cookies: Record<Role, string>;
  /** The push service of every browser. */
  push: Emulator & { service: PushServiceEmulator };
  /** Calls the API as the administrator. */
  call: Caller;
  /** Ends the newest session, as if it had been idle for too long. */
  endLastSession: () => Promise<void>;
  /** Everyone who is signed in entered their password so many minutes ago. */
  confirmSessions: (minutesAgo?: number) => Promise<void>;
  /** Makes someone's password this many days old. */
  agePassword: (username: string, days: number) => Promise<void>;
  /** Moves a weekly schedule's next run back by a week, as if a week had passed. */
  passWeek: (scheduleId: number) => Promise<void>;
  /** Has a schedule by residents' dates look whose date it is today, as if it were its time. */
  lookAgainToday: (scheduleId: number) => Promise<void>;
};

const sender = "Oak Court <notices@example.com>";

/** As on a fresh machine: no data, with the embedded PostgreSQL. */
export async function startFreshSystem(): Promise<System> {
  const data = await mkdtemp(join(tmpdir(), "porchlight-e2e-"));
  const mail = await startMailSink();
  const server = await startPorchlight({ PORCHLIGHT_DATA: data, SMTP_URL: mail.url, SMTP_FROM: sender });
  return {
    server,
    mail,
    async stop() {
      await server.stop();
      await mail.stop();
      await rm(data, { recursive: true });
    },
  };
}

/** On its own, already migrated database in the run's PostgreSQL server, which is faster. */
export async function startStaffedSystem(
  databaseServer: Run["databaseServer"],
  // Without an account, email goes to the Sandbox.
  { connected = true }: { connected?: boolean } = {},
): Promise<StaffedSystem> {
  const database = await createDatabase(databaseServer);
  const mail = await startMailSink();
  const service = pushServiceEmulator();
  const push = await startEmulator(service);
  const server = await startPorchlight({
    DATABASE_URL: database.url,
    WEB_PUSH_API_URL: push.url,
    ...(connected ? { SMTP_URL: mail.url, SMTP_FROM: sender } : { SMTP_PRIVATE_ADDRESSES: "127.0.0.1" }),
    PORCHLIGHT_SECRET_KEY: randomBytes(32).toString("base64"),
    LOG_LEVEL: "warn",
  });
  const sql = (statement: string, values: unknown[] = []) => query(database.url, statement, values);
  const admin = cookieOf(await request(server.url, auth.register, { body: registration }));
  const cookies = { admin, staff: "", tenant: "" };
  // Read with each call: a session gets a new cookie when its person's second factors change.
  const call: Caller = (endpoint, input) => caller(server.url, cookies.admin)(endpoint, input);
  await call(csv.import, { body: staffAndTenant });
  for (const { username, password } of [accounts.staff, accounts.tenant]) {
    // Faster than setting a password through a one-time link.
    await sql("update users set password_hash = $1 where username = $2", [
      await hashPassword(password),
      username,
    ]);
  }
  const signIn = async ({ username, password }: Account) =>
    cookieOf(await request(server.url, auth.login, { body: { username, password } }));
  cookies.staff = await signIn(accounts.staff);
  cookies.tenant = await signIn(accounts.tenant);
  return {
    server,
    mail,
    push: { ...push, service },
    accounts,
    cookies,
    call,
    async endLastSession() {
      await sql("delete from sessions where created_at = (select max(created_at) from sessions)");
    },
    async confirmSessions(minutesAgo = 0) {
      await sql("update sessions set confirmed_at = now() - make_interval(mins => $1)", [minutesAgo]);
    },
    async agePassword(username, days) {
      const statement =
        "update users set password_changed_at = now() - make_interval(days => $2) where username = $1";
      await sql(statement, [username, days]);
    },
    async passWeek(scheduleId) {
      // By the calendar: the clocks may change in that week.
      const statement = `update schedules
        set next_run_at = (next_run_at at time zone 'America/New_York' - interval '7 days') at time zone 'America/New_York',
        next_occurrence = (next_occurrence::date - 7)::text where id = $1`;
      await sql(statement, [scheduleId]);
    },
    async lookAgainToday(scheduleId) {
      const today = "(now() at time zone 'America/New_York')::date::text";
      await sql(`update schedules set dates_day = ${today}, dates_at = now() where id = $1`, [scheduleId]);
    },
    async stop() {
      await server.stop();
      await mail.stop();
      await push.close();
      await database.drop();
    },
  };
}

const accounts: StaffedSystem["accounts"] = {
  admin: { firstName: "Ada", lastName: "Owner", username: "ada.owner", password: "porch-light-at-dusk" },
  staff: { firstName: "Sam", lastName: "Okafor", username: "sam.okafor", password: "keys-on-the-hook" },
  tenant: {
    firstName: "Tess",
    lastName: "Lindqvist",
    username: "tess.lindqvist",
    password: "boxes-in-the-hall",
  },
};
const registration = { ...accounts.admin, email: "ada.owner@example.com" };
const staffAndTenant = (["staff", "tenant"] as const).map((role) => ({
  username: accounts[role].username,
  email: `${accounts[role].username}@example.com`,
  firstName: accounts[role].firstName,
  lastName: accounts[role].lastName,
  role,
}));

function cookieOf(response: Response): string {
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
  if (!cookie) throw new Error(`No session came with ${response.url}`);
  return cookie;
}
