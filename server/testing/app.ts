import { randomBytes } from "node:crypto";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { sql } from "kysely";
import { pino } from "pino";
import { createApp } from "#server/app.ts";
import type { Role } from "#contract/calls/auth.ts";
import { channelMeaning, channels } from "#contract/delivery.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { preferenceField, type Preferences } from "#contract/calls/users.ts";
import { channelSet } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { KEY_BYTES, SecretBox } from "#server/db/secret-box.ts";
import { openTransports, type Transports } from "#server/delivery/accounts/open-transports.ts";
import { pushRecipients } from "#server/delivery/transports/push/recipients.ts";
import { readTrackingKey, trackerFor } from "#server/delivery/receipts/tracking-address.ts";
import { adapters } from "#server/delivery/transports/registry.ts";
import { fieldsOf } from "#server/log.ts";
import { startSession } from "#server/http/session.ts";
import { type TestDatabase, testDatabase } from "#server/testing/postgres.ts";

export type Caller = { cookie: string; userId: number };

export type TestApp = {
  app: FastifyInstance;
  db: Db;
  url: string;
  transports: Transports;
  /** What the web role has logged, from info up. */
  logged: Record<string, unknown>[];
  /** Calls as a caller who sends nothing but this. */
  call(
    request: { method: Endpoint["method"]; url: string; body?: unknown; headers?: Record<string, string> },
    as?: Caller | null,
  ): Promise<LightMyRequestResponse>;
  /** A person with this role who is signed in. */
  signedIn(role: Role, person?: Partial<NewPerson>): Promise<Caller>;
  close(): Promise<void>;
};

export type NewPerson = Preferences & {
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
  role: Role;
  propertyUnit: string | null;
  property: string | null;
  unit: string | null;
  /** Of any password; null: cannot sign in. */
  passwordHash: string | null;
};

let made = 0;

/** A person in the database, made up where nothing is said. */
export async function insertPerson(db: Db, person: Partial<NewPerson> = {}): Promise<number> {
  made += 1;
  const row = await db
    .insertInto("users")
    .values({
      username: person.username ?? `person${made}`,
      first_name: person.firstName ?? "Pat",
      last_name: person.lastName ?? `Person${made}`,
      email: person.email === undefined ? `person${made}@example.com` : person.email,
      phone: person.phone ?? null,
      role: person.role ?? "tenant",
      property_unit: person.propertyUnit ?? null,
      property: person.property ?? null,
      unit: person.unit ?? null,
      channels: channelSet(
        channels.filter((one) => person[preferenceField[one]] ?? channelMeaning[one].onByDefault),
      ),
      password_hash: person.passwordHash ?? null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Deletes all people with their sessions and browsers, so that the tests of a file can share an app. */
export async function removeEveryone(db: Db): Promise<void> {
  await sql
    .raw(
      `SET LOCAL session_replication_role = replica;
      DELETE FROM sessions; DELETE FROM known_browsers; DELETE FROM users`,
    )
    .execute(db);
}

/** The whole web role on a database of its own, as `main.ts` builds it, without listening. */
export async function testApp(
  options: {
    now?: () => Date;
    publicUrl?: string;
    trustProxy?: number;
    heartbeatMs?: number;
    requestTimeoutMs?: number;
    mostRowsRead?: number;
    mostWrites?: number;
    apiUrls?: Record<string, string>;
    /** Instead of one of its own. */
    database?: TestDatabase;
    secrets?: SecretBox;
  } = {},
): Promise<TestApp> {
  const { db, url, close } = options.database ?? (await testDatabase());
  const secrets = options.secrets ?? new SecretBox([randomBytes(KEY_BYTES)]);
  const publicUrl = new URL(options.publicUrl ?? "http://127.0.0.1:3000");
  const transports = openTransports([], adapters, {
    secrets,
    privateAddresses: ["127.0.0.1"],
    apiUrls: options.apiUrls ?? {},
    recipients: pushRecipients(db),
    tracker: trackerFor(await readTrackingKey(db), publicUrl),
  });
  const logged: TestApp["logged"] = [];
  const app = await createApp({
    db,
    listenUrl: url,
    publicUrl,
    trustProxy: options.trustProxy ?? false,
    webRoot: null,
    log: pino({ level: "info", mixin: fieldsOf }, { write: (line) => void logged.push(JSON.parse(line)) }),
    checkReplies: true,
    transports,
    secrets,
    ...(options.now && { now: options.now }),
    ...(options.requestTimeoutMs && { requestTimeoutMs: options.requestTimeoutMs }),
    ...(options.mostRowsRead && { mostRowsRead: options.mostRowsRead }),
    // A test changes in a second what a person changes in a day.
    mostWrites: options.mostWrites ?? 10_000,
    ...(options.heartbeatMs && { heartbeatMs: options.heartbeatMs }),
  });
  return {
    app,
    db,
    url,
    transports,
    logged,
    call: ({ method, url: path, body, headers }, as) =>
      app.inject({
        method,
        url: path,
        headers: { host: "127.0.0.1:3000", ...(as && { cookie: as.cookie }), ...headers },
        ...(body !== undefined && { payload: body as object }),
      }),
    async signedIn(role, person) {
      const userId = await insertPerson(db, { ...person, role });
      const token = await startSession(db, { userId, ip: "127.0.0.1", userAgent: "test" });
      return { cookie: `porchlight=${token}`, userId };
    },
    async close() {
      await app.close();
      await transports.close();
      await close();
    },
  };
}
