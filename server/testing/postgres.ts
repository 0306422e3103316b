import { inject } from "vitest";
import { connect, type Db } from "#server/db/database.ts";
import { createDatabase } from "./database-server.ts";

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
  const { url, drop } = await createDatabase({
    url: inject("postgresServer"),
    template: inject("postgresTemplate"),
  });
  const db = connect(url, { max: 10 });
  return {
    db,
    url,
    async close() {
      await db.destroy();
      await drop();
    },
  };
}
