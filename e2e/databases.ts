import { randomBytes } from "node:crypto";
import { Client } from "pg";

const prefix = "porchlight_e2e_";

export type Database = {
  url: string;
  drop: () => Promise<void>;
};

/** A new empty database. The server under test migrates it on startup. */
export async function createDatabase(serverUrl: string): Promise<Database> {
  // The process id in the name lets the next run drop databases that a killed run left behind.
  const name = `${prefix}${process.pid}_${randomBytes(4).toString("hex")}`;
  await query(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await query(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Drops the databases of runs that were killed. */
export async function removeLeftovers(serverUrl: string): Promise<void> {
  const rows = await query(serverUrl, `select datname from pg_database where datname ~ '^${prefix}'`);
  for (const { datname } of rows as { datname: string }[]) {
    const pid = Number(datname.slice(prefix.length).split("_")[0]);
    if (!isAlive(pid)) await query(serverUrl, `drop database if exists ${datname} with (force)`);
  }
}

/** Runs one statement on a new connection. */
export async function query(url: string, statement: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
