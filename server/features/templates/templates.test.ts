import { afterAll, beforeAll, expect, test } from "vitest";
import type { Template } from "#contract/templates.ts";
import { type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
beforeAll(async () => {
  porchlight = await testApp();
});
afterAll(() => porchlight.close());

test("a template names who made it while they are there; “Admin Manager” stands for one who is gone", async () => {
  const admin = await porchlight.signedIn("admin");
  const maker = await porchlight.signedIn("staff", { firstName: "Sam", lastName: "Lee" });
  await porchlight.db
    .insertInto("templates")
    .values({ name: "Sam's", type: "Email", content: "Hello {{first_name}}", created_by: maker.userId })
    .execute();
  const makers = async () =>
    (await porchlight.call({ method: "GET", url: "/api/templates" }, admin))
      .json<Template[]>()
      .map(({ name, createdBy }) => ({ name, createdBy }));
  expect(await makers()).toContainEqual({ name: "Sam's", createdBy: "Sam Lee" });
  await porchlight.call({ method: "DELETE", url: `/api/users/${maker.userId}` }, admin);
  expect(await makers()).toContainEqual({ name: "Sam's", createdBy: "Admin Manager" });
});
