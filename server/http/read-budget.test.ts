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
  expect((await read(other)).statusCode).toBe(200);
  await porchlight.close();
});
