import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserDetail } from "#contract/users.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
});
afterAll(() => porchlight.close());

const unblock = (id: number, channel: string) =>
  porchlight.call({ method: "POST", url: `/api/users/${id}/unblock`, body: { channel } }, staff);

test("staff unblock an address once, recorded with who did it and why it was blocked", async () => {
  const { db } = porchlight;
  const { userId } = await porchlight.signedIn("tenant", { email: "ann@example.com" });
  await db
    .insertInto("suppressions")
    .values({
      channel: "email",
      address: "ann@example.com",
      reason: "User unknown",
      source: "smtp",
      delivery_id: null,
    })
    .execute();
  const detail = async () =>
    (await porchlight.call({ method: "GET", url: `/api/users/${userId}` }, staff)).json<UserDetail>();
  expect((await detail()).suppressions).toMatchObject([{ channel: "email", reason: "User unknown" }]);
  expect((await unblock(userId, "sms")).statusCode).toBe(404);
  const reply = await unblock(userId, "email");
  expect([reply.statusCode, reply.json<unknown>()]).toEqual([
    200,
    { message: "We'll use ann@example.com again." },
  ]);
  expect((await detail()).suppressions).toEqual([]);
  expect((await unblock(userId, "email")).statusCode).toBe(404);
  const rows = await db
    .selectFrom("audit")
    .selectAll()
    .where("action", "=", "user.unblock-address")
    .execute();
  expect(rows).toMatchObject([
    {
      actor_id: staff.userId,
      subject_id: userId,
      detail: { channel: "email", address: "ann@example.com", reason: "User unknown" },
    },
  ]);
});
