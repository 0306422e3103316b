import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";
import { composed, decomposed } from "#contract/text/composed.ts";
import { MOST_VALUES, refuseComplexJson } from "#server/http/json-limits.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;
beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

const counts = (text: string, most: number) => {
  try {
    refuseComplexJson(text, most);
    return true;
  } catch {
    return false;
  }
};

describe("values are counted as JSON has them", () => {
  test.each([
    ["[1,2,3]", 3],
    ['{"a":1,"b":[2,3]}', 3],
    [String.raw`["a,\"b,c\\",1]`, 2],
    ['"' + ",".repeat(50) + '"', 1],
    ['"not closed, at all', 1],
  ])("%s", (text, most) => {
    expect([counts(text, most), counts(text, most - 1)]).toEqual([true, false]);
  });
});

/** What a megabyte can hold that costs more than its length: each was checked, and each got a sentence. */
const hostile: [string, string][] = [
  ["zeros", `[${"0,".repeat(MOST_VALUES)}0]`],
  ["keys", `{${Array.from({ length: MOST_VALUES + 1 }, (_, n) => `"k${n}":{}`).join(",")}}`],
  ["nested lists", "[".repeat(5000) + "]".repeat(5000)],
  ["nested objects", '{"a":'.repeat(2500) + "1" + "}".repeat(2500)],
];

test.each(hostile)("no call takes %s, and its answer is short", async (_, part) => {
  for (const { method, path, body, access, upload, mostValues } of endpoints) {
    if (method === "GET" || upload || access === "public" || mostValues !== undefined) continue;
    const [key = "a"] = Object.keys((body as { shape?: object }).shape ?? {});
    const reply = await porchlight.app.inject({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, "1"),
      headers: { host: "127.0.0.1:3000", cookie: admin.cookie, "content-type": "application/json" },
      payload: `{"${key}":${part}}`,
    });
    expect([method, path, [400, 413].includes(reply.statusCode), reply.body.length < 500]).toEqual([
      method,
      path,
      true,
      true,
    ]);
  }
});

test("what a call refuses is repeated only in part", async () => {
  const refused = async (body: object) =>
    porchlight.call({ method: "POST", url: "/api/send-notification", body }, admin);
  const names = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}${"x".repeat(500)}`, 1]));
  expect((await refused(names)).body.length).toBeLessThan(5000);
  expect((await refused({ channels: Array.from({ length: 4000 }, () => 0) })).body.length).toBeLessThan(
    20_000,
  );
});

test("letters with dozens of marks are not sorted, which takes quadratic time", () => {
  const zalgo = `a${"\u0301\u0316".repeat(50)}`;
  expect([composed(zalgo), decomposed(zalgo)]).toEqual([zalgo, zalgo]);
  expect([composed("e\u0301"), decomposed("ﬁ\u00e9")]).toEqual(["\u00e9", "fie\u0301"]);
});
