import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { connect } from "#server/db/database.ts";
import { EmbeddedError } from "#server/db/embedded/embedded-error.ts";
import { startEmbedded, type Embedded } from "#server/db/embedded/embedded.ts";
import { migrate } from "#server/db/migrate.ts";

const database = fileURLToPath(new URL("../db/", import.meta.url));
const dataDir = fileURLToPath(new URL("../../node_modules/.cache/porchlight-tests", import.meta.url));

/** Any constant: runs that start at once take turns. */
const preparing = 5_318_008;

export type DatabaseServer = {
  /** postgres://… of a user who may create databases. */
  url: string;
  /** The migrated database that `createDatabase` copies. */
  template: string;
  stop: () => Promise<void>;
};

/**
 * One PostgreSQL for a whole run of the server's or the browser's tests: TEST_DATABASE_URL, or an embedded server that
 * stays between runs and is shared by runs at the same time. It does not wait for the disk: its data is worth nothing
 * after the run.
 */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const given = process.env["TEST_DATABASE_URL"];
  const server = given ? { url: given, stop: async () => undefined } : await startServer();
  const template = await prepare(server.url, !given);
  return { url: server.url, template, stop: () => server.stop() };
}

/** A copy of the template. `drop` succeeds also while others are connected. */
export async function createDatabase({
  url: serverUrl,
  template,
}: Pick<DatabaseServer, "url" | "template">): Promise<{ url: string; drop: () => Promise<void> }> {
  // The process in the name lets the next run remove what a killed one left.
  const name = `porchlight_test_${process.pid}_${randomBytes(4).toString("hex")}`;
  // Takes less than half the time of the other strategy, which writes every page to the log.
  await query(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: databaseUrl(serverUrl, name),
    drop: async () => {
      await query(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
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

/** The same server and user, another database. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

function report(message: string): void {
  process.stderr.write(`${message}\n`);
}

async function startServer(): Promise<Embedded> {
  const start = () =>
    startEmbedded({
      dataDir,
      log: { info: () => undefined, warn: report, error: report },
      settings: {
        fsync: "off",
        synchronous_commit: "off",
        full_page_writes: "off",
        max_connections: 300,
        // It would work at moments of its own choosing. Tests that need statistics ask for them.
        autovacuum: "off",
        shared_buffers: "128MB",
      },
    });
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof EmbeddedError)) throw error;
    // Data that does not wait for the disk may be damaged by a crash of the machine.
    await rm(dataDir, { recursive: true, force: true });
    return start();
  }
}

async function prepare(serverUrl: string, ownServer: boolean): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [preparing]);
    const template = `porchlight_template_${await fingerprint(ownServer)}`;
    if (ownServer) {
      await makeConnectingCheap(client, serverUrl);
      await removeLeftovers(client, template);
    }
    const { rowCount } = await client.query("select from pg_database where datname = $1", [template]);
    if (!rowCount) await createTemplate(client, serverUrl, template);
    return template;
  } finally {
    await client.end();
  }
}

async function createTemplate(client: Client, serverUrl: string, template: string): Promise<void> {
  const draft = `${template}_draft`;
  await client.query(`drop database if exists ${draft} with (force)`);
  await client.query(`create database ${draft}`);
  const db = connect(databaseUrl(serverUrl, draft), { max: 1 });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
  await client.query(`alter database ${draft} rename to ${template}`);
}

/** A client computes the password's hash anew for each of the thousands of connections of a run. */
async function makeConnectingCheap(client: Client, serverUrl: string): Promise<void> {
  await client.query("set scram_iterations = 1");
  const password = client.escapeLiteral(new URL(serverUrl).password);
  await client.query(`alter role current_user password ${password}`);
}

/** Databases of runs that were killed, and while no other run is under way, templates of earlier ones. */
async function removeLeftovers(client: Client, template: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where datname ~ '^porchlight_(test|template)_'",
  );
  const kept = ({ datname }: { datname: string }) => {
    const pid = /^porchlight_test_(\d+)_/.exec(datname)?.[1];
    return pid ? isAlive(Number(pid)) : datname === template;
  };
  const leftovers = rows.filter((row) => !kept(row));
  const othersRun = rows.some((row) => row.datname !== template && kept(row));
  for (const { datname } of leftovers) {
    if (othersRun && datname.startsWith("porchlight_template_")) continue;
    await client.query(`drop database if exists ${datname} with (force)`);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Changes with the migrations, with the code that applies them and every day, because they create this month and the next;
 * on a server that isn't ours, where old ones stay, every month.
 */
async function fingerprint(ownServer: boolean): Promise<string> {
  const hash = createHash("sha256")
    .update(new Date().toISOString().slice(0, ownServer ? 10 : 7))
    .update(await readFile(`${database}migrate.ts`));
  for (const name of (await readdir(`${database}migrations`)).sort()) {
    hash.update(name).update(await readFile(`${database}migrations/${name}`));
  }
  return hash.digest("hex").slice(0, 12);
}
