import { afterAll, afterEach, expect, test } from "vitest";
import { connect, type Db } from "#server/db/database.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "../testing/engine.ts";
import { FakeTransport } from "../testing/fake-transport.ts";
import { addPeople, notificationStatus, send } from "../testing/scene.ts";

const engine = withEngines();
const times = { leaseMs: 4000, heartbeatMs: 500 };
const ends: (() => void)[] = [];
// Before the workers are stopped, which waits for every statement.
afterEach(() => ends.splice(0).forEach((end) => end()));
const pools: Db[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.destroy())));

/** The same database, except that the first statement like this gets no answer until `end`. */
function silentOnce(db: Db, like: RegExp): { db: Db; end: () => void; isSilent: () => boolean } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let first: object | undefined;
  let silent = false;
  const plugged = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (like.test(JSON.stringify(node))) first ??= queryId;
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (queryId !== first) return result;
      silent = true;
      await promise;
      return result;
    },
  });
  return { db: plugged, end: resolve, isSilent: () => silent };
}

/** A worker one of whose connections dies without a word while it carries the first statement like this. */
async function workWithSilence(like: RegExp) {
  const own = connect(engine.url, { max: 6 });
  const { db, end, isSilent } = silentOnce(own, like);
  pools.push(own);
  ends.push(end);
  const transport = new FakeTransport();
  await engine.start(transport, { db, times });
  return { transport, isSilent };
}

test.each([
  ["asks for work", /^(?=.*AS suspects)(?=.*"email"},{"kind":"ValueNode","value":false)/],
  ["claims", /picked AS MATERIALIZED/],
  ["begins a message", /begin_deliveries/],
  ["settles outcomes", /jsonb_to_recordset/],
])("a connection that dies while it %s holds up nothing, and no one gets anything twice", async (_, like) => {
  await addPeople(engine.db, 30);
  const { transport, isSilent } = await workWithSilence(like);
  const { notificationId } = await send(engine.db);
  await until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered"));
  expect(isSilent()).toBe(true);
  expect(transport.received).toHaveLength(30);
});

test("a connection that dies while it renews the lease doesn't cost the lease", async () => {
  const { isSilent } = await workWithSilence(/UPDATE workers SET lease_until/);
  const lease = () =>
    engine.db.selectFrom("workers").select(["token", "lease_until"]).executeTakeFirstOrThrow();
  await until(() => expect(isSilent()).toBe(true));
  const before = await lease();
  await until(async () => {
    const after = await lease();
    expect(after.token).toBe(before.token);
    expect(after.lease_until.getTime()).toBeGreaterThan(before.lease_until.getTime() + 1000);
  });
});
