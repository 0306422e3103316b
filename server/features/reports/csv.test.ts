import { sql } from "kysely";
import Papa from "papaparse";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deliveryStatusMeaning } from "#contract/delivery.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
});
afterAll(() => porchlight.close());

async function send(recipients: unknown, title = "Water off"): Promise<number> {
  const body = { title, message: "Hello", recipients, channels: ["email", "sms"] };
  const reply = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  while ((await fanOutSome(porchlight.db))?.done === false);
  return reply.json<{ id: number }>().id;
}
const download = (id: number) =>
  porchlight.call({ method: "GET", url: `/api/notifications/${id}/report.csv` }, staff);
const rowsOf = (csv: string) =>
  Papa.parse<Record<string, string>>(csv.replace(/^\uFEFF/, ""), { header: true, skipEmptyLines: true }).data;

describe("the report", () => {
  // spec 290
  test("has a row for every person and channel, with every attempt, its times and its reason", async () => {
    const { db } = porchlight;
    await insertPerson(db, { firstName: "Luis", lastName: "Ortega", propertyUnit: "Harbor House 12" });
    const id = await send(["Luis Ortega"]);
    await sql`UPDATE deliveries SET status = 'failed', reason = 'gave-up' WHERE channel = 'email'`.execute(
      db,
    );
    await sql`
      INSERT INTO attempts (delivery_id, n, account_id, lease_token, started_at, outcome, code, detail)
      SELECT d.id, n, (SELECT min(id) FROM accounts), 1, '2026-11-20T15:00:00Z', 'unavailable', '451', '=HYPERLINK("x")'
      FROM deliveries d, generate_series(1, 2) n WHERE d.channel = 'email'`.execute(db);
    const reply = await download(id);
    expect(reply.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(rowsOf(reply.body)).toEqual([
      {
        Person: "Luis Ortega",
        "Property/Unit": "Harbor House 12",
        Channel: "email",
        Address: expect.stringContaining("@example.com"),
        Outcome: "Failed",
        Reason: "All attempts failed. We've stopped trying.",
        Sent: "",
        Delivered: "",
        Attempts: "2",
        "Every attempt":
          '1. 2026-11-20T15:00:00.000Z unavailable 451 =HYPERLINK("x") | 2. 2026-11-20T15:00:00.000Z unavailable 451 =HYPERLINK("x")',
        Simulated: "yes",
      },
      expect.objectContaining({ Channel: "sms", Outcome: "Skipped", Reason: "No phone number on file." }),
    ]);
  });

  test.each(["=cmd|' /C calc'!A0", "＝1+1", " =1+1", "\n=1", "@SUM(1)"])(
    "calculates nothing in a spreadsheet: %j",
    async (formula) => {
      const id = await insertPerson(porchlight.db, { propertyUnit: formula });
      const csv = (await download(await send([{ type: "user", id }]))).body;
      expect(rowsOf(csv).map((row) => row["Property/Unit"])).toEqual(Array(2).fill(`'${formula}`));
    },
  );

  test("shows the outcome of the shared message for people who share an address", async () => {
    const { db } = porchlight;
    const ids = [
      await insertPerson(db, { firstName: "Hal", lastName: "Lee", email: "both@example.com" }),
      await insertPerson(db, { firstName: "Sue", lastName: "Lee", email: "both@example.com" }),
    ];
    const id = await send(ids.map((one) => ({ type: "user", id: one })));
    const reasonOfSue = async () =>
      rowsOf((await download(id)).body).find(
        (row) => row["Person"] === "Sue Lee" && row["Channel"] === "email",
      )?.["Reason"];
    const holder = sql`channel = 'email' AND user_id = ${ids[0]}`;
    await sql`UPDATE deliveries SET status = 'bounced', reason = 'no-such-address' WHERE ${holder}`.execute(
      db,
    );
    expect(await reasonOfSue()).toContain("Covered by");
    expect(await reasonOfSue()).toContain(deliveryStatusMeaning.bounced.sentence);
    await sql`UPDATE deliveries SET status = 'skipped', reason = 'opted-out' WHERE ${holder}`.execute(db);
    expect(await reasonOfSue()).toBe(
      "Has the same email address as Hal Lee, but no message was sent there for them.",
    );
  });

  test("has everyone once, also where it is read in many pages", async () => {
    await sql`INSERT INTO users (username, email, first_name, last_name, role, phone)
      SELECT 'many' || i, 'many' || i || '@example.com', 'Many' || i, 'Person', 'tenant', '+1212555' || 1000 + i
      FROM generate_series(1, 1500) i`.execute(porchlight.db);
    const id = await send("All Tenants");
    const people = rowsOf((await download(id)).body)
      .map((row) => `${row["Person"]} ${row["Channel"]}`)
      .filter((line) => line.startsWith("Many"));
    expect(new Set(people).size).toBe(3000);
    expect(people).toHaveLength(3000);
    // The rows add up to the run's totals.
    const counted = await sql<{ row: string; count: number }>`
      SELECT channel || ' ' || status AS row, sum(count)::int AS count FROM run_counts c
      JOIN runs r ON r.id = c.run_id WHERE r.notification_id = ${id} GROUP BY 1 HAVING sum(count) <> 0`.execute(
      porchlight.db,
    );
    const rows = rowsOf((await download(id)).body);
    const counts = Map.groupBy(rows, (row) => `${row["Channel"]} ${row["Outcome"]}`);
    expect(new Map([...counts].map(([row, { length }]) => [row, length]))).toEqual(
      new Map(
        counted.rows.map(({ row, count }) => {
          const [channel, status] = row.split(" ") as [string, keyof typeof deliveryStatusMeaning];
          return [`${channel} ${deliveryStatusMeaning[status].label}`, count];
        }),
      ),
    );
  });

  test("begins with the columns of the file that the values come from", async () => {
    const id = await insertPerson(porchlight.db, {
      firstName: "Ana",
      lastName: "Silva",
      email: "ana@example.com",
    });
    const file = await porchlight.app.inject({
      method: "POST",
      url: "/api/values?name=rent.csv&fields=amount",
      headers: { cookie: staff.cookie, "content-type": "application/octet-stream" },
      payload: 'Rent roll,,\r\nEmail,Amount,Note\r\nana@example.com,"$1,685.00",=1+1\r\n',
    });
    const sendTo = async (recipient: object, more: object) => {
      const body = {
        title: "Rent",
        message: "{{amount}}",
        channels: ["email"],
        recipients: [recipient],
        ...more,
      };
      const reply = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
      return rowsOf((await download(reply.json<{ id: number }>().id)).body);
    };
    const valuesId = file.json<{ id: number }>().id;
    expect(await sendTo({ type: "file", id: valuesId }, { valuesId })).toMatchObject([
      { Email: "ana@example.com", Amount: "$1,685.00", Note: "'=1+1", Person: "Ana Silva", Channel: "email" },
    ]);
    expect(await sendTo({ type: "user", id, values: { amount: "$2" } }, {})).toMatchObject([
      { amount: "$2", Person: "Ana Silva" },
    ]);
  });

  test("is always current and never cached", async () => {
    const reply = await download(await send(["Luis Ortega"]));
    expect(reply.headers["cache-control"]).toBe("no-store");
  });

  test("takes its name from the title, cut between two characters", async () => {
    const reply = await download(await send(["Luis Ortega"], `${"x".repeat(79)}🏠 is closed`));
    expect(reply.statusCode).toBe(200);
    expect(reply.headers["content-disposition"]).toContain(
      `filename*=UTF-8''${"x".repeat(79)}%F0%9F%8F%A0%20report.csv`,
    );
  });
});
