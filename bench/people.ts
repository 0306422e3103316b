import { cpus } from "node:os";
import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import { channelSet } from "#server/audience/person.ts";
import { connect, type Db } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { type CallApi, importRows, startWebRole } from "./people/web-role.ts";
import { timeValues } from "./people/values.ts";
import { startPostgres } from "./postgres.ts";
import { percentile } from "./table.ts";
import { times } from "./time.ts";

/**
 * How long an import of 100,000 people takes, and then pages of them under each filter. Prints figures and asserts
 * nothing. `node bench/people.ts [people]`; BENCH_DATABASE_URL names an empty database to use instead of a new embedded
 * one.
 */

const PEOPLE = Number(process.argv[2] ?? 100_000);
const TIMES = 25;

const server = await startPostgres(process.env["BENCH_DATABASE_URL"]);
const db = connect(server.url);
try {
  await migrate(db);
  const { call, close } = await startWebRole(db, server.url);
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? "CPU"}, Node ${process.version}`);
  await timeImport(call);
  await settle(db);
  await timePages(db, call);
  // Last, because it gives everyone another home, which no list expects.
  await timeValues(db, call, PEOPLE);
  await close();
} finally {
  await db.destroy();
  await server.stop();
}

/** As the browser does it: the whole file is checked in chunks, and then imported in chunks. */
async function timeImport(call: CallApi): Promise<void> {
  for (const [what, path] of [
    ["Check, all new", "/api/csv/check"],
    ["Import, all new", "/api/csv/import"],
    ["Check, all known", "/api/csv/check"],
    ["Import, unchanged", "/api/csv/import"],
  ] as const) {
    const seconds = await importRows(call, path, PEOPLE);
    console.log(
      `${what.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s   ${Math.round(PEOPLE / seconds)} rows/s`,
    );
  }
}

/** Adds preferences, suppressions and groups as after years of use, then does what autovacuum would do. */
async function settle(db: Db): Promise<void> {
  const bit = (channel: Channel) => sql.lit(channelSet([channel]));
  await sql`UPDATE users SET channels = CASE WHEN id % 20 <> 0 THEN ${bit("email")} ELSE 0 END
    | CASE WHEN id % 7 <> 0 THEN ${bit("sms")} ELSE 0 END
    | CASE WHEN id % 5 = 0 THEN ${bit("push")} ELSE 0 END`.execute(db);
  await sql`INSERT INTO suppressions (channel, address, reason, source)
    SELECT 'email', lower(email), 'no such mailbox', 'smtp' FROM users WHERE id % 101 = 0 AND email IS NOT NULL`.execute(
    db,
  );
  for (const size of [10, 100, 1000, 5000, 20_000]) {
    await sql`WITH made AS (INSERT INTO user_groups (name) VALUES (${`Picked ${size}`}) RETURNING id)
      INSERT INTO group_members SELECT made.id, u.id FROM made, (
        SELECT id FROM users WHERE deleted_at IS NULL ORDER BY md5(id::text) LIMIT ${size}) u`.execute(db);
  }
  const rules = [
    { channel: "email" },
    { channel: "sms", roles: ["tenant"] },
    { property: "Maple Court", unit: "1*" },
    { unit: "*4B" },
    { channel: "push", property: "Oak Row" },
  ];
  for (const rule of rules) {
    await sql`INSERT INTO user_groups (name, rule) VALUES (${`Rule ${JSON.stringify(rule)}`}, ${JSON.stringify(rule)})`.execute(
      db,
    );
  }
  await sql`VACUUM (ANALYZE)`.execute(db);
}

async function timePages(db: Db, call: CallApi): Promise<void> {
  const groups = await db.selectFrom("user_groups").select(["id", "name"]).execute();
  const group = (name: string) => groups.find((group) => group.name.startsWith(name))?.id ?? 0;
  const last = Math.ceil(PEOPLE / 25);
  const pages: Record<string, string> = {
    "first page": "?page=1",
    "page in the middle": `?page=${Math.ceil(last / 2)}`,
    "last page": `?page=${last}`,
    "role tenant": "?role=tenant",
    "role tenant, deep": `?role=tenant&page=${Math.ceil(last / 2)}`,
    "role staff": "?role=staff",
    property: "?property=Maple%20Court",
    "property and role": "?property=Maple%20Court&role=staff",
    "group by hand, 100": `?groupId=${group("Picked 100")}`,
    "group by hand, 20,000": `?groupId=${group("Picked 20000")}`,
    "group by hand, 20,000, deep": `?groupId=${group("Picked 20000")}&page=700`,
    "group All Tenants": `?groupId=${group("All Tenants")}`,
    "group of a property": `?groupId=${group("Harbor House")}`,
    "group by channel": `?groupId=${group('Rule {"channel":"email"}')}`,
    "group by unit": `?groupId=${group('Rule {"unit"')}`,
    "reachable by email": "?reachable=email",
    "reachable by email, deep": `?reachable=email&page=${Math.ceil(last / 2)}`,
    "reachable by nothing": "?reachable=nothing",
    "sorted by role, deep": `?sort=role&direction=desc&page=${Math.ceil(last / 2)}`,
    "sorted by property, deep": `?sort=property&page=${Math.ceil(last / 2)}`,
    "newest, deep": `?sort=newest&page=${Math.ceil(last / 2)}`,
    "name descending, deep": `?direction=desc&page=${Math.ceil(last / 2)}`,
    "search a name": "?q=lopez",
    "search two words": "?q=maria%20maple",
    "search one letter": "?q=a",
    "search a unit": "?q=4b",
    "search a number": "?q=(415)%20551-0001",
    "search nobody": "?q=nobodyhasthis",
    "search and filter": "?q=maria&role=tenant&reachable=sms",
  };
  console.log(`\n${"People".padEnd(30)} ${"p50".padStart(8)} ${"p95".padStart(8)}`);
  for (const [what, query] of Object.entries(pages))
    await timeOne(what, () => call("GET", `/api/users${query}`));
  console.log("");
  await timeOne("groups, counted", () => call("GET", "/api/usergroups"));
  await timeOne("members of 20,000", () => call("GET", `/api/usergroups/${group("Picked 20000")}/members`));
  await timeOne("properties", () => call("GET", "/api/properties"));
  await timeOne("one person", () => call("GET", `/api/users/${PEOPLE / 2}`));
  const recipients = [{ type: "group", id: group("Everyone") }];
  await timeOne("reach of everyone", () =>
    call("POST", "/api/audience/reach", { recipients, channels: ["email", "sms", "push"] }),
  );
}

async function timeOne(what: string, once: () => Promise<unknown>): Promise<void> {
  const taken = await times(TIMES, once);
  const at = (share: number) => `${percentile(taken, share).toFixed(1)} ms`;
  console.log(`${what.padEnd(30)} ${at(0.5).padStart(8)} ${at(0.95).padStart(8)}`);
}
