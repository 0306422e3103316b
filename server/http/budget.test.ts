import { expect, test } from "vitest";
import { insertPerson, testApp } from "#server/testing/app.ts";

test("a person who reads too many rows has to wait, and no one else", async () => {
  const porchlight = await testApp({ mostRowsRead: 10 });
  for (let n = 0; n < 6; n++) await insertPerson(porchlight.db);
  const [greedy, other] = [await porchlight.signedIn("staff"), await porchlight.signedIn("staff")];
  const read = async (as: typeof greedy, url = "/api/users?pageSize=5") =>
    porchlight.call({ method: "GET", url }, as);
  expect((await read(greedy)).json()).toHaveLength(5);
  expect((await read(greedy)).statusCode).toBe(200);
  const refused = await read(greedy);
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(500);
  // A single answer is no list, and an export has its own limit.
  expect((await read(greedy, `/api/users/${greedy.userId}`)).statusCode).toBe(200);
  expect((await read(greedy, "/api/csv/export")).statusCode).toBe(200);
  // Nor do reads at the same moment overrun it.
  const together = await Promise.all(Array.from({ length: 6 }, async () => read(other)));
  expect(together.filter((reply) => reply.statusCode === 200)).toHaveLength(2);
  await porchlight.close();
});

test("lists without pages don't count, and one whose page is in the body does", async () => {
  const porchlight = await testApp({ mostRowsRead: 10 });
  const staff = await porchlight.signedIn("staff");
  await porchlight.db
    .insertInto("schedules")
    .values({
      name: "Rent",
      recurrence: "daily",
      time: "09:00",
      next_run_at: new Date("2026-11-01T14:00:00Z"),
      field_values: "{}",
      channels: ["email"],
      audience: "[]",
      audience_text: "",
      created_by_name: "",
    })
    .execute();
  const calendar = async () => {
    const url = "/api/schedules/calendar?from=2026-11-01&to=2026-11-30";
    return porchlight.call({ method: "GET", url }, staff);
  };
  expect((await calendar()).json().length).toBeGreaterThan(20);
  expect((await calendar()).statusCode).toBe(200);
  const recipients: { type: "user"; id: number }[] = [];
  for (let n = 0; n < 10; n++) recipients.push({ type: "user", id: await insertPerson(porchlight.db) });
  const body = { recipients, channels: ["email"], pageSize: 10 };
  const reach = async () => porchlight.call({ method: "POST", url: "/api/audience/reach/list", body }, staff);
  const together = await Promise.all([reach(), reach(), reach()]);
  expect(together.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  await porchlight.close();
});

test("a person who changes too much has to wait, and no one else; reading goes on", async () => {
  const porchlight = await testApp({ mostWrites: 5 });
  const [busy, other] = [await porchlight.signedIn("staff"), await porchlight.signedIn("staff")];
  const body = { what: "notifications", until: "2026-11-25T09:00:00Z" };
  const write = async (as: typeof busy) =>
    porchlight.call({ method: "POST", url: "/api/shell/seen", body }, as);
  const codes = (await Promise.all(Array.from({ length: 7 }, async () => write(busy)))).map(
    (r) => r.statusCode,
  );
  expect(codes.filter((code) => code === 200)).toHaveLength(5);
  const refused = await write(busy);
  expect([refused.statusCode, refused.json().message]).toEqual([
    429,
    "You have made too many changes in a minute. Try again in a minute.",
  ]);
  expect((await write(other)).statusCode).toBe(200);
  expect((await porchlight.call({ method: "GET", url: "/api/users" }, busy)).statusCode).toBe(200);
  await porchlight.close();
});

test("exports at the same moment do not overrun their limit", async () => {
  const porchlight = await testApp();
  const admin = await porchlight.signedIn("admin");
  const download = async () => porchlight.call({ method: "GET", url: "/api/csv/export" }, admin);
  const codes = (await Promise.all(Array.from({ length: 24 }, download))).map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 200)).toHaveLength(20);
  expect(codes.filter((code) => code === 429)).toHaveLength(4);
  await porchlight.close();
});
