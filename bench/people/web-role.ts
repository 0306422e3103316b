import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { KEY_BYTES, SecretBox } from "#server/db/secret-box.ts";
import { IMPORT_CHUNK } from "#contract/calls/csv.ts";
import { createApp } from "#server/app.ts";
import type { Db } from "#server/db/database.ts";
import type { EnvironmentAccount } from "#server/delivery/accounts/accounts.ts";
import { openTransports, type Transports } from "#server/delivery/accounts/open-transports.ts";
import { adapters } from "#server/delivery/transports/registry.ts";
import { startSession } from "#server/http/session.ts";
import { peopleRows } from "./rows.ts";

export type CallApi = (method: "GET" | "POST" | "PATCH", url: string, body?: unknown) => Promise<unknown>;

/** The web role in this process, with an administrator signed in. */
export async function startWebRole(
  db: Db,
  listenUrl: string,
  apiUrls: Readonly<Record<string, string>> = {},
  environment: readonly EnvironmentAccount[] = [],
): Promise<{ call: CallApi; app: FastifyInstance; transports: Transports; close: () => Promise<void> }> {
  const secrets = new SecretBox([randomBytes(KEY_BYTES)]);
  const transports = openTransports(environment, adapters, { secrets, apiUrls });
  const app = await createApp({
    db,
    listenUrl,
    publicUrl: new URL("http://127.0.0.1:3000"),
    trustProxy: false,
    webRoot: null,
    log: false,
    checkReplies: false,
    transports,
    secrets,
  });
  const { id } = await db
    .insertInto("users")
    .values({ username: "admin", first_name: "Ada", last_name: "Admin", role: "admin" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const cookie = `porchlight=${await startSession(db, { userId: id, ip: "127.0.0.1", userAgent: "bench" })}`;
  // It runs longer than the ten minutes after which a password would be asked again.
  await sql`UPDATE sessions SET confirmed_at = 'infinity'`.execute(db);
  return {
    app,
    transports,
    async call(method, url, body) {
      const reply = await app.inject({
        method,
        url,
        headers: {
          host: "127.0.0.1:3000",
          cookie,
          ...(Buffer.isBuffer(body) && { "content-type": "application/octet-stream" }),
        },
        ...(body !== undefined && { payload: body as object }),
      });
      if (reply.statusCode >= 300) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.body}`);
      return reply.json();
    },
    async close() {
      await app.close();
      await transports.close();
    },
  };
}

/** Sends the rows in chunks, like the browser. Returns how many seconds it took. */
export async function importRows(call: CallApi, path: string, people: number): Promise<number> {
  const started = performance.now();
  for (let from = 0; from < people; from += IMPORT_CHUNK) {
    const rows = peopleRows(from, Math.min(IMPORT_CHUNK, people - from));
    await call("POST", `${path}?firstRow=${from + 1}`, rows);
  }
  return (performance.now() - started) / 1000;
}
