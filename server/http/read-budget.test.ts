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

test("exports at the same moment do not overrun their limit", async () => {
  const porchlight = await testApp();
  const admin = await porchlight.signedIn("admin");
  const download = async () => porchlight.call({ method: "GET", url: "/api/csv/export" }, admin);
  const codes = (await Promise.all(Array.from({ length: 24 }, download))).map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 200)).toHaveLength(20);
  expect(codes.filter((code) => code === 429)).toHaveLength(4);
  await porchlight.close();
});
