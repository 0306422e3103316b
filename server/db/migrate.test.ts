import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readConcurrentIndex } from "#server/db/concurrent-index.ts";
import { migrate, neededBy } from "#server/db/migrate.ts";
import { nextBuild } from "#server/testing/next-build.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";

const own = join(import.meta.dirname, "migrations");

const folders: string[] = [];
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => sql`DELETE FROM migrations WHERE name > '9'`.execute(database.db));
afterAll(async () => {
  await database.close();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

/** The migrations of a later build: this one's and these. */
async function later(added: Record<string, string>): Promise<URL> {
  const { folder, migrations } = await nextBuild(added);
  folders.push(folder);
  return migrations;
}

test("of two processes of a new build that start at once, one migrates, and this build still starts", async () => {
  const folder = await later({
    "9001_expand.sql": "ALTER TABLE users ADD COLUMN shoe_size int;",
    // Waits until every statement that began before it has ended, whatever it is about.
    "9002_index.sql": "CREATE INDEX CONCURRENTLY users_by_shoe_size ON users (shoe_size);",
  });
  const applied = await Promise.all([1, 2].map(() => migrate(database.db, { folder })));
  expect(applied.flat().toSorted()).toEqual(["9001_expand.sql", "9002_index.sql"]);
  expect(await migrate(database.db)).toEqual([]);
});

test("a build is refused once a newer one has taken away what it needs", async () => {
  const expand = { "9001_expand.sql": "ALTER TABLE users ADD COLUMN hat_size int;" };
  const between = await later(expand);
  await migrate(database.db, { folder: between });
  const contract = "-- needs 9001_expand.sql\nALTER TABLE users DROP COLUMN hat_size;";
  await migrate(database.db, { folder: await later({ ...expand, "9002_contract.sql": contract }) });
  await expect(migrate(database.db)).rejects.toThrow(/newer Porchlight \(it has 9002_contract\.sql\)/);
  expect(await migrate(database.db, { folder: between })).toEqual([]);
});

test("the error names what a database user without rights has to own", async () => {
  await database.db.connection().execute(async (one) => {
    const role = sql.id(`stranger_${process.pid}`);
    await sql`CREATE ROLE ${role}`.execute(one);
    await sql`SET ROLE ${role}`.execute(one);
    await expect(migrate(one)).rejects.toThrow(
      /permission denied.*has to own it: ALTER DATABASE porchlight_test_\w+ OWNER TO stranger_\d+$/,
    );
    await sql`RESET ROLE`.execute(one);
    const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(one);
    const owned = sql.id(rows[0]!.name);
    await sql`ALTER DATABASE ${owned} OWNER TO ${role}`.execute(one);
    await sql`SET ROLE ${role}`.execute(one);
    await expect(migrate(one)).rejects.toThrow(
      /permission denied.*user stranger_\d+ has to own its tables, too\.$/,
    );
    await sql`RESET ROLE`.execute(one);
    await sql`ALTER DATABASE ${owned} OWNER TO CURRENT_USER`.execute(one);
    await sql`DROP ROLE ${role}`.execute(one);
  });
});

test("a migration that has to wait for a table lets others pass, and goes on when the table is free", async () => {
  const { db } = database;
  const folder = await later({ "9001_busy.sql": "ALTER TABLE user_groups ADD COLUMN color text;" });
  const held = Promise.withResolvers<void>();
  const reading = db.transaction().execute(async (tx) => {
    await sql`SELECT FROM user_groups`.execute(tx);
    await held.promise;
  });
  const reasons: string[] = [];
  const migrating = migrate(db, { folder, onWait: (reason) => reasons.push(reason) });
  const waits = sql`SELECT FROM pg_locks WHERE NOT granted AND relation = 'user_groups'::regclass`;
  await expect.poll(async () => (await waits.execute(db)).rows.length).toBe(1);
  // Behind the one that waits, and done before the reader is.
  expect((await sql`SELECT FROM user_groups`.execute(db)).rows.length).toBeGreaterThan(0);
  // As during a long dump: it keeps trying, and names the program that holds the lock.
  await expect
    .poll(() => reasons, { timeout: 60_000 })
    .toContainEqual(
      expect.stringMatching(
        /has locked a table\. The oldest transaction is \d+ seconds old \(process \d+ of the server, porchlight\)/,
      ),
    );
  held.resolve();
  await reading;
  expect(await migrating).toEqual(["9001_busy.sql"]);
});

test("an index is built partition by partition while others write, and goes on where a process ended", async () => {
  const { db } = database;
  const folder = await later({
    "9001_index.sql":
      "-- What was sent in which color.\nCREATE INDEX CONCURRENTLY deliveries_by_reason ON deliveries (reason)\n  WHERE reason IS NOT NULL;",
  });
  const indexes = async () => {
    const { rows } = await sql<{ valid: boolean }>`SELECT indisvalid AS valid FROM pg_index
      WHERE indexrelid::regclass::text LIKE '%deliveries_by_reason' ORDER BY 1`.execute(db);
    return rows.map(({ valid }) => valid);
  };
  const { rows: months } = await sql<{ name: string }>`SELECT inhrelid::regclass::text AS name
    FROM pg_inherits WHERE inhparent = 'deliveries'::regclass ORDER BY 1`.execute(db);
  const written = sql.table(months.at(-1)!.name);
  const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = db.transaction().execute(async (tx) => {
    await sql`LOCK TABLE ${written} IN ROW EXCLUSIVE MODE`.execute(tx);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const killed = migrate(db, { folder }).then(() => "went on", String);
  const building = sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await building.execute(db)).rows).toHaveLength(1);
  await db.transaction().execute(async (tx) => {
    await sql`LOCK TABLE ${written} IN ROW EXCLUSIVE MODE NOWAIT`.execute(tx);
  });
  await sql`SELECT pg_terminate_backend(${(await building.execute(db)).rows[0]!.pid})`.execute(db);
  expect(await killed).toMatch(/terminat/i);
  expect(await indexes()).toEqual([false, ...months.slice(1).map(() => true)]);
  held.resolve();
  await writing;
  expect(await migrate(db, { folder })).toEqual(["9001_index.sql"]);
  // Each month's, and the whole one's.
  expect(await indexes()).toEqual([...months, "deliveries"].map(() => true));
});

// The rules of docs/decisions/0054-rolling-upgrades.md; earlier migrations came before it.
const ruled = async () => {
  const names = await readdir(own);
  const files = names
    .filter((name) => name > "0054" && name.endsWith(".sql"))
    .map(async (name) => ({ name, statements: await readFile(join(own, name), "utf8") }));
  return { names, files: await Promise.all(files) };
};

test("a migration that takes something away says which build it needs", async () => {
  const takesAway =
    /\bDROP (TABLE|COLUMN|VIEW|FUNCTION|INDEX|CONSTRAINT)\b|\bRENAME\b|\bSET NOT NULL\b|\bALTER COLUMN \w+ (SET DATA )?TYPE\b|\bADD (CONSTRAINT|CHECK)\b|\bADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b/i;
  const { names, files } = await ruled();
  for (const { name, statements } of files) {
    const needed = neededBy(statements);
    if (needed !== null) expect(names, `${name} needs it`).toContain(needed);
    else expect(statements, `${name} begins with "-- needs …"`).not.toMatch(takesAway);
  }
  expect(neededBy("-- needs 0060_new.sql\nDROP TABLE old;")).toBe("0060_new.sql");
});

test("a migration writes no large table anew, and runs on PostgreSQL 15", async () => {
  // A stored expression is computed for every row under a lock that stops everyone. Triggers fill a plain column instead.
  const small = /^ALTER TABLE (user_groups|templates)\b/;
  const anew = (statements: string) =>
    statements
      .replaceAll(/^\s*--.*$/gm, "")
      .split(/;\s*\n/)
      .map((statement) => statement.trim())
      .filter(
        (one) =>
          /\bSET EXPRESSION\b/.test(one) || (/^ALTER TABLE.*\bGENERATED\b/s.test(one) && !small.test(one)),
      );
  for (const { name, statements } of (await ruled()).files)
    expect({ name, anew: anew(statements) }).toEqual({ name, anew: [] });
  expect(anew("ALTER TABLE users ADD COLUMN x int GENERATED ALWAYS AS (1) STORED;\n")).toHaveLength(1);
});

/** Tables to which a migration adds an index in a way that blocks writes. */
function heldUp(statements: string): string[] {
  if (readConcurrentIndex(statements)) return [];
  const indexed = statements.matchAll(/\bCREATE (?:UNIQUE )?INDEX\b.*?\bON (?:ONLY )?(\w+)/gis);
  const created = statements.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi);
  const own = new Set(created.map(([, table]) => table));
  return [...indexed].map(([, table = ""]) => table).filter((table) => !own.has(table));
}

test("a migration builds an index of an existing table concurrently, in a file of its own", async () => {
  for (const { name, statements } of (await ruled()).files)
    expect({ name, of: heldUp(statements) }).toEqual({ name, of: [] });
  const index = "CREATE INDEX CONCURRENTLY users_by_x ON users (x);";
  expect([index, `-- Why.\n${index}`].map(heldUp)).toEqual([[], []]);
  expect(heldUp(`ALTER TABLE users ADD COLUMN x int;\n${index}`)).toEqual(["users"]);
  expect(heldUp("CREATE UNIQUE INDEX users_by_x ON users (x);")).toEqual(["users"]);
  expect(heldUp("CREATE TABLE hats (size int);\nCREATE INDEX hats_by_size ON hats (size);")).toEqual([]);
});

test("names that were stored decomposed are composed, but none that then would be taken", async () => {
  const { db } = database;
  const decomposed = (text: string) => text.normalize("NFD");
  const add = (username: string) =>
    db
      .insertInto("users")
      .values({
        username,
        first_name: decomposed("Zoë"),
        last_name: "Lee",
        role: "tenant",
        property: decomposed("Höfe"),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
  const [alone, taken] = [await add(decomposed("zoë")), await add(decomposed("rené"))];
  await add("rené");
  const rule = { properties: [decomposed("Höfe")] };
  const group = await db
    .insertInto("user_groups")
    .values({ name: decomposed("Höfe"), rule: JSON.stringify(rule) })
    .returning("id")
    .executeTakeFirstOrThrow();
  await sql.raw(await readFile(join(own, "0064_composed_names.sql"), "utf8")).execute(db);
  const person = async ({ id }: { id: number }) =>
    db
      .selectFrom("users")
      .select(["username", "first_name", "property"])
      .where("id", "=", id)
      .executeTakeFirst();
  expect(await person(alone)).toEqual({ username: "zoë", first_name: "Zoë", property: "Höfe" });
  expect(await person(taken)).toMatchObject({ username: decomposed("rené"), first_name: "Zoë" });
  const stored = await db
    .selectFrom("user_groups")
    .select(["name", "rule"])
    .where("id", "=", group.id)
    .executeTakeFirst();
  expect(stored).toEqual({ name: "Höfe", rule: { properties: ["Höfe"] } });
});
