import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";
import { connect } from "#server/db/database.ts";
import type { Db } from "#server/db/database.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresServer: string;
    postgresTemplate: string;
  }
}

export type TestDatabase = {
  db: Db;
  /** Connection string, for whatever opens its own connections. */
  url: string;
  /** Closes `db` and drops the database, also when others are still connected. */
  close: () => Promise<void>;
};

/** A migrated, otherwise empty database of one's own. Call it in `beforeAll` and `close` in `afterAll`. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject("postgresServer");
  // The process in the name lets the next run remove what a killed one left.
  const name = `porchlight_test_${process.pid}_${randomBytes(4).toString("hex")}`;
  await administer(server, `create database ${name} template ${inject("postgresTemplate")}`);
  const url = databaseUrl(server, name);
  const db = connect(url, { max: 10 });
  return {
    db,
    url,
    async close() {
      await db.destroy();
      await administer(server, `drop database if exists ${name} with (force)`);
    },
  };
}

/** The same server and user, another database. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
