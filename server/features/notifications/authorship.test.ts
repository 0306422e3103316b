import { afterAll, beforeAll, expect, test } from "vitest";
import { dependencies } from "#server/delivery/testing/scene.ts";
import { startRun } from "#server/delivery/runs/start-run.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let ada: Caller;
let stan: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  ada = await porchlight.signedIn("admin", { firstName: "Ada", lastName: "Boss" });
  stan = await porchlight.signedIn("staff", { firstName: "Stan", lastName: "Staff" });
  await insertPerson(porchlight.db, { firstName: "Luis", lastName: "Ortega" });
});
afterAll(() => porchlight.close());

const body = { title: "Roof", content: "x", recipients: ["Luis Ortega"], channels: ["email"] };

async function create(more: object): Promise<string> {
  const reply = await porchlight.call(
    { method: "POST", url: "/api/notifications", body: { ...body, ...more } },
    ada,
  );
  return `/api/notifications/${reply.json().id}`;
}
const read = async (url: string) => (await porchlight.call({ method: "GET", url }, ada)).json();

test("the last editor is shown beside the author, and no one before an edit", async () => {
  const url = await create({ status: "Draft" });
  expect(await read(url)).toMatchObject({ createdBy: "Ada Boss", edited: null, sentBy: null });
  await porchlight.call({ method: "PUT", url, body: { ...body, title: "Roof closed" } }, stan);
  const edited = await read(url);
  expect(edited).toMatchObject({ createdBy: "Ada Boss", edited: { by: "Stan Staff" } });
  expect(edited.edited.at).toBe(edited.updatedAt);
});

test("the sender is shown, whoever created it", async () => {
  const url = await create({ status: "Draft" });
  await porchlight.call({ method: "POST", url: `${url}/send` }, stan);
  expect(await read(url)).toMatchObject({
    createdBy: "Ada Boss",
    edited: null,
    sentBy: { who: "person", name: "Stan Staff" },
  });
});

test("what goes out at its time was sent by no one but its schedule", async () => {
  const url = await create({ status: "Scheduled", scheduled_time: "2099-01-01T09:00:00Z" });
  const id = Number(url.split("/").at(-1));
  const due = new Date(Date.now() - 60_000);
  await porchlight.db
    .updateTable("notifications")
    .set({ scheduled_time: due })
    .where("id", "=", id)
    .execute();
  await startRun(porchlight.db, id, dependencies);
  expect(await read(url)).toMatchObject({ createdBy: "Ada Boss", sentBy: { who: "schedule" } });
});

test("of what was sent before anyone wrote it down nothing is said", async () => {
  const url = await create({ status: "Draft" });
  await startRun(porchlight.db, Number(url.split("/").at(-1)), dependencies);
  expect(await read(url)).toMatchObject({ sentBy: null });
});
