import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Group } from "#contract/calls/groups.ts";
import type { NotificationRow } from "#contract/calls/notifications.ts";
import { connect } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { openTransports } from "#server/delivery/accounts/open-transports.ts";
import { adapters } from "#server/delivery/transports/registry.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { startWorker } from "#server/delivery/worker/worker.ts";
import { fanOutAnew } from "./people/fan-out.ts";
import { type CallApi, importRows, startWebRole } from "./people/web-role.ts";
import { quiet, startPostgres } from "./postgres.ts";
import { count, percentile } from "./table.ts";
import { times } from "./time.ts";

/**
 * The cost of large data: lists of many notifications, deliveries and groups as ratios to a page of people, a Sandbox run
 * to everyone as a ratio to importing them, and fan-out without statistics as a ratio to fan-out with them. All ratios
 * are from one run on one machine. SIZE_PEOPLE, SIZE_NOTIFICATIONS and SIZE_PROPERTIES make it smaller.
 */

const PEOPLE = Number(process.env["SIZE_PEOPLE"] ?? 100_000);
const NOTIFICATIONS = Number(process.env["SIZE_NOTIFICATIONS"] ?? 1_000_000);
const PROPERTIES = Number(process.env["SIZE_PROPERTIES"] ?? 100_000);
const TIMES = 15;

const server = await startPostgres();
const db = connect(server.url, { answerWithin: 0 });
try {
  await migrate(db);
  const { call, close } = await startWebRole(db, server.url);
  const imported = await importRows(call, "/api/csv/import", PEOPLE);
  console.log(`${count(PEOPLE)} people, imported in ${imported.toFixed(1)} s`);
  await sql`VACUUM (ANALYZE)`.execute(db);
  const unit = await median(() => call("GET", "/api/users"));
  console.log(`A page of them: ${unit.toFixed(1)} ms. That is 1. All other figures are ratios to it.`);
  await timeGroups(call);
  await timeHomes(call, unit);
  await timeRun(call, { imported, unit });
  await timeNotifications(call, unit);
  await timeFanOut();
  await close();
} finally {
  await db.destroy();
  await server.stop();
}

async function median(once: () => Promise<unknown>): Promise<number> {
  return percentile(await times(TIMES, once), 0.5);
}

function say(what: string, ratio: number, note = ""): void {
  console.log(`  ${what.padEnd(44)} ${ratio.toFixed(1).padStart(7)}  ${note}`);
}

async function timePages(call: CallApi, pages: Record<string, string>, unit: number): Promise<void> {
  for (const [what, url] of Object.entries(pages)) say(what, (await median(() => call("GET", url))) / unit);
}

/** First the few properties people have, then one property for every few people. */
async function timeGroups(call: CallApi): Promise<void> {
  const spread = async (properties: number) => {
    await sql`UPDATE users SET property = 'House ' || (id % ${properties}), unit = '1' WHERE role <> 'admin'`.execute(
      db,
    );
    await call("POST", "/api/users/sync-groups");
    await sql`VACUUM (ANALYZE) users, user_groups`.execute(db);
    return [
      await median(() => call("GET", "/api/usergroups")),
      await median(() => call("GET", `/api/usergroups?q=house%20${properties - 1}`)),
    ] as const;
  };
  const few = await spread(10);
  const many = await spread(PROPERTIES);
  console.log(`\nGroups of ${count(PROPERTIES)} properties, as ratios to those of ten:`);
  say("first page", many[0] / few[0], "aim: 2");
  say("search", many[1] / few[1], "aim: 2");
}

/** Everyone in 60,000 homes of 2,000 properties, in which others have lived before. */
async function timeHomes(call: CallApi, unit: number): Promise<void> {
  // As before the first upgrade: nothing but text.
  await sql`TRUNCATE residencies, units, property_names, properties, home_changes`.execute(db);
  await sql`UPDATE users SET property = 'House ' || (id % 2000), property_unit = 'House ' || (id % 2000) || ' ' || unit.name, unit = unit.name
    FROM (SELECT id AS person, (1 + id / 2000 % 30) || '0' || (1 + id % 9) AS name FROM users) unit
    WHERE unit.person = id AND role = 'tenant'`.execute(db);
  const began = performance.now();
  await keepHomes(db);
  const seconds = (performance.now() - began) / 1000;
  await sql`
    INSERT INTO residencies (person_id, unit_id, first_day, last_day, during)
    SELECT person_id, lead(unit_id, 1, unit_id) OVER (ORDER BY unit_id), gone - 900, gone, tstzrange(gone - 900, gone + 1)
    FROM residencies CROSS JOIN LATERAL (SELECT current_date - 40 - (id % 3000)::int AS gone) past`.execute(
    db,
  );
  await sql`VACUUM (ANALYZE)`.execute(db);
  console.log(`\nHomes: everyone's residency in ${seconds.toFixed(1)} s. The rest (aim: 3):`);
  const [first] = (await call("GET", "/api/places/properties")) as { id: number }[];
  const pages = {
    "list of properties": "/api/places/properties",
    "totals below the list, read beside it": "/api/places/totals",
    "search of properties": "/api/places/properties?q=house%201999",
    "a property with its homes": `/api/places/properties/${first!.id}`,
    "picker of homes": "/api/places/find",
    "floors of some properties in it": "/api/places/find?q=house%2019%20floors%201-3",
    "one home in it": "/api/places/find?q=house%201999%20102",
  };
  await timePages(call, pages, unit);
  const houses = (await call("GET", "/api/places/properties?q=house")) as { id: number }[];
  const recipients = houses.slice(0, 20).map(({ id }) => ({ type: "homes", id, floors: { from: 1, to: 3 } }));
  const reach = () => call("POST", "/api/audience/reach", { recipients, channels: ["email", "sms"] });
  say("reach of floors 1 to 3 of twenty properties", (await median(reach)) / unit);
  say("nothing to do each minute", (await median(() => keepHomes(db))) / unit);
}

async function timeRun(call: CallApi, { imported, unit }: { imported: number; unit: number }): Promise<void> {
  const [everyone] = (await call("GET", "/api/usergroups?q=Everyone")) as Group[];
  const transports = openTransports([], adapters);
  const worker = startWorker({
    db,
    listenUrl: server.url,
    transports,
    linksFor: (token) => ({
      unsubscribe: `https://x.example/u/${token}`,
      preferences: `https://x.example/p/${token}`,
    }),
    log: quiet,
  });
  const started = performance.now();
  const { id } = (await call("POST", "/api/send-notification", {
    title: "Water off",
    message: "Hello {{first_name}}, no water on Tuesday.",
    recipients: [{ type: "group", id: everyone?.id }],
    channels: ["email", "sms"],
  })) as NotificationRow;
  for (;;) {
    const { rows } = await sql`SELECT FROM runs WHERE notification_id = ${id} AND state = 'finished'`.execute(
      db,
    );
    if (rows.length > 0) break;
    await sleep(100);
  }
  const seconds = (performance.now() - started) / 1000;
  await worker.stop();
  await transports.close();
  console.log(`\nA Sandbox run to ${count(PEOPLE)} people on two channels, as a ratio to importing them:`);
  say("from the click until it is over", seconds / imported, "aim: 1");
  await sql`VACUUM (ANALYZE)`.execute(db);
  const last = Math.floor(PEOPLE / 25);
  const url = `/api/notifications/${id}/deliveries`;
  console.log(`\nIts ${count(PEOPLE)} people with ${count(PEOPLE * 2)} deliveries (aim: 3):`);
  await timePages(
    call,
    {
      "first page": url,
      "page in the middle": `${url}?page=${Math.ceil(last / 2)}`,
      "last page": `${url}?page=${last}`,
      unreached: `${url}?show=unreached`,
      "reached, in the middle": `${url}?show=reached&page=${Math.ceil(last / 2.5)}`,
      "search a name": `${url}?q=lopez`,
      "search one person": `${url}?q=person.777%40`,
    },
    unit,
  );
}

async function timeNotifications(call: CallApi, unit: number): Promise<void> {
  await sql`
    INSERT INTO notifications (title, message_type, content, channels, audience, audience_text, status, created_by_name,
      sent_time)
    SELECT (ARRAY['Water off', 'Rent reminder', 'Boiler check', 'Parking'])[1 + n % 4] || ' ' || n, 'custom', 'Hello',
      CASE n % 10 WHEN 0 THEN '{sms}' WHEN 1 THEN '{push}' ELSE '{email,sms}' END::text[], '[]', 'Everyone',
      CASE WHEN n % 500 = 0 THEN 'Failed' WHEN n % 50 = 0 THEN 'Partially Delivered' ELSE 'Delivered' END, 'Ann',
      now() - n * interval '1 minute'
    FROM generate_series(1, ${NOTIFICATIONS}::int) n`.execute(db);
  await sql`VACUUM (ANALYZE) notifications, notification_tallies`.execute(db);
  const url = "/api/notifications";
  const last = Math.ceil(NOTIFICATIONS / 25);
  console.log(`\n${count(NOTIFICATIONS)} notifications (aim: 3):`);
  await timePages(
    call,
    {
      "first page": url,
      "last page": `${url}?page=${last}`,
      "page in the middle": `${url}?page=${Math.ceil(last / 2)}`,
      "the newest four": `${url}/recent/4`,
      delivered: `${url}?status=Delivered`,
      failed: `${url}?status=Failed`,
      "failures, last page": `${url}?status=Failures&page=${Math.ceil(NOTIFICATIONS / 50 / 25)}`,
      "by text message": `${url}?channel=sms`,
      "sent within a month": `${url}?time=30-days`,
      "search many": `${url}?q=water`,
      "search one": `${url}?q=boiler%20check%20${Math.ceil(NOTIFICATIONS / 8) * 4 + 2}`,
    },
    unit,
  );
}

/** On two copies of the people. */
async function timeFanOut(): Promise<void> {
  const spread = (statistics: boolean) =>
    fanOutAnew(db, {
      serverUrl: server.url,
      name: `fan_out_${statistics ? "with" : "without"}`,
      people: PEOPLE,
      channels: ["email", "sms", "push"],
      ...(statistics && { prepare: (copy) => sql`VACUUM (ANALYZE)`.execute(copy) }),
    });
  const [without, with_] = [await spread(false), await spread(true)];
  console.log(
    `\nFan-out to ${count(PEOPLE)} people on three channels, without statistics as a ratio to with:`,
  );
  say("all of it", without.all / with_.all, "aim: 1");
  console.log(`  The longest chunk took ${without.longest.toFixed(0)} and ${with_.longest.toFixed(0)} ms.`);
}
