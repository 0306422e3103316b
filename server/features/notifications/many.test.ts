import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listStatuses, type NotificationRow } from "#contract/calls/notifications.ts";
import { runMaintenance } from "#server/delivery/maintenance.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

/** Pages and totals where no one counts all rows each time. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

async function list(query: string) {
  const reply = await porchlight.call({ method: "GET", url: `/api/notifications?${query}` }, admin);
  expect(reply.statusCode).toBe(200);
  return {
    ids: reply.json<NotificationRow[]>().map(({ id }) => id),
    total: Number(reply.headers["x-total-count"]),
    estimated: reply.headers["x-total-estimated"],
  };
}

const add = (count: number, title: string) =>
  sql`
  INSERT INTO notifications (title, message_type, content, channels, audience, audience_text, status, created_by_name,
    updated_at, kind)
  SELECT ${title} || n, 'custom', 'Hello', CASE n % 3 WHEN 0 THEN '{email}' WHEN 1 THEN '{sms,email}' ELSE '{push}' END::text[],
    '[]', 'Everyone', CASE n % 4 WHEN 0 THEN 'Draft' WHEN 1 THEN 'Failed' WHEN 2 THEN 'Delivered'
      ELSE 'Partially Delivered' END, 'Ann', now() - (n % 50) * interval '1 hour',
    CASE WHEN n % 10 = 9 THEN 'test' ELSE 'message' END
  FROM generate_series(1, ${count}::int) n`.execute(porchlight.db);

async function expected(where: string): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT id FROM notifications WHERE kind = 'message' AND ${sql.raw(where)}
    ORDER BY updated_at DESC, id DESC`.execute(porchlight.db);
  return rows.map(({ id }) => id);
}

const filters = [
  ["", "true"],
  ...listStatuses.map((status) => [
    `status=${encodeURIComponent(status)}`,
    status === "Failures" ? "status IN ('Failed', 'Partially Delivered')" : `status = '${status}'`,
  ]),
  ["channel=email", "'email' = ANY(channels)"],
  ["channel=push&status=Failed", "'push' = ANY(channels) AND status = 'Failed'"],
  ["q=leak%201", "title LIKE 'Leak 1%'"],
] as const;

test("pages from both ends hold each row once, and totals follow every change", async () => {
  await add(1600, "Leak ");
  const agree = async () => {
    for (const [query, where] of filters) {
      const all = await expected(where);
      const pages: number[] = [];
      for (let page = 1; page <= Math.ceil(all.length / 100) + 1; page += 1) {
        const { ids, total, estimated } = await list(`${query}&page=${page}&pageSize=100`);
        expect([total, estimated]).toEqual([all.length, undefined]);
        pages.push(...ids);
      }
      expect(pages).toEqual(all);
    }
  };
  await agree();
  await sql`UPDATE notifications SET status = 'Sending' WHERE id % 7 = 0`.execute(porchlight.db);
  await sql`UPDATE notifications SET channels = '{email,push}' WHERE id % 5 = 0`.execute(porchlight.db);
  await sql`DELETE FROM notifications WHERE id % 11 = 0`.execute(porchlight.db);
  await runMaintenance(porchlight.db);
  await sql`UPDATE notifications SET title = title || '!', status = 'Cancelled' WHERE id % 13 = 0`.execute(
    porchlight.db,
  );
  await agree();
});

test("a large total is an estimate, and a page corrects it", async () => {
  await add(6010, "Boiler ");
  await sql`ANALYZE notifications`.execute(porchlight.db);
  const all = await expected("title LIKE 'Boiler%'");
  const first = await list("q=boiler");
  expect(first).toMatchObject({ estimated: "true", ids: all.slice(0, 25) });
  expect(first.total).toBeGreaterThan(5000);
  const last = Math.ceil(all.length / 25);
  expect(await list(`q=boiler&page=${last}`)).toEqual({
    ids: all.slice((last - 1) * 25),
    total: all.length,
    estimated: undefined,
  });
  expect(await list(`q=boiler&page=${last + 5}`)).toEqual({
    ids: [],
    total: all.length,
    estimated: undefined,
  });
  // The total of all is counted as rows come and go, however many they are.
  expect(await list("pageSize=1")).toMatchObject({
    estimated: undefined,
    total: (await expected("true")).length,
  });
});

test("what is planned comes after what has happened, the next first, on whichever page it begins", async () => {
  await sql`DELETE FROM notifications`.execute(porchlight.db);
  await sql`
    INSERT INTO notifications (title, message_type, content, channels, audience, audience_text, status,
      created_by_name, scheduled_time, sent_time)
    SELECT title, 'custom', 'Hello', '{email}', '[]', 'Everyone', status, 'Ann', now() + planned, now() + sent
    FROM (VALUES ('Roof next year', 'Scheduled', interval '1 year', NULL::interval),
      ('Roof tomorrow', 'Scheduled', interval '1 day', NULL),
      ('Roof just now', 'Delivered', NULL, interval '-1 minute'),
      ('Roof last week', 'Delivered', NULL, interval '-7 days'),
      ('Roof next week', 'Scheduled', interval '7 days', NULL)) n (title, status, planned, sent)`.execute(
    porchlight.db,
  );
  const titles = async (query: string) => {
    const reply = await porchlight.call({ method: "GET", url: `/api/notifications?${query}` }, admin);
    return [
      reply.json<NotificationRow[]>().map(({ title }) => title.slice("Roof ".length)),
      Number(reply.headers["x-total-count"]),
    ];
  };
  const all = ["just now", "last week", "tomorrow", "next week", "next year"];
  for (const filter of ["", "q=roof&", "channel=email&", "repeatable=true&"]) {
    expect(await titles(filter)).toEqual([all, 5]);
    expect(await titles(`${filter}pageSize=3`)).toEqual([all.slice(0, 3), 5]);
    expect(await titles(`${filter}pageSize=3&page=2`)).toEqual([all.slice(3), 5]);
    expect(await titles(`${filter}pageSize=2&page=2`)).toEqual([all.slice(2, 4), 5]);
    expect(await titles(`${filter}page=2`)).toEqual([[], 5]);
    expect(await titles(`${filter}recent=true`)).toEqual([all.slice(0, 2), 2]);
    expect(await titles(`${filter}time=ahead&pageSize=2`)).toEqual([all.slice(2, 4), 3]);
    expect(await titles(`${filter}status=Scheduled`)).toEqual([all.slice(2), 3]);
  }
});
