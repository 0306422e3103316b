import fastify from "fastify";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#server/db/database.ts";
import { turns } from "#server/features/audience/turns.ts";
import { whenGone } from "#server/http/gone.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

let porchlight: TestApp;
let staff: Caller;
let address: string;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  address = await porchlight.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => porchlight.close());

const ask = () =>
  fetch(`${address}/api/audience/reach`, {
    method: "POST",
    headers: { cookie: staff.cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ recipients: [{ type: "user", id: staff.userId }], channels: ["email"] }),
  });

test("many who ask for reach at once leave the connections to the others", async () => {
  const beside = connect(porchlight.url, { max: 2 });
  const waiting = async () => {
    const { rows } = await sql`SELECT FROM pg_locks
      WHERE relation = 'suppressions'::regclass AND NOT granted`.execute(beside);
    return rows.length;
  };
  try {
    const asked: Promise<Response>[] = [];
    await beside.transaction().execute(async (lock) => {
      // Whoever counts reach stands still here.
      await sql`LOCK TABLE suppressions IN ACCESS EXCLUSIVE MODE`.execute(lock);
      for (let n = 0; n < 30; n += 1) asked.push(ask());
      await until(async () => expect(await waiting()).toBe(3));
      for (let n = 0; n < 5; n += 1) {
        const other = await fetch(`${address}/api/shell`, { headers: { cookie: staff.cookie } });
        expect(other.status).toBe(200);
      }
      expect(await waiting()).toBe(3);
    });
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    await beside.destroy();
  }
});

test("whoever gives up leaves the queue, and the next is in turn", async () => {
  const inTurn = turns(1);
  const seen: string[] = [];
  const held = Promise.withResolvers<void>();
  const app = fastify();
  app.post<{ Body: { who: string } }>("/", async ({ body: { who } }, reply) => {
    const gone = whenGone(reply);
    gone.addEventListener("abort", () => seen.push(`${who} has gone`));
    seen.push(`${who} asks`);
    return inTurn(async () => {
      seen.push(`${who} begins`);
      await held.promise;
      return { who };
    }, gone);
  });
  const at = await app.listen({ port: 0, host: "127.0.0.1" });
  const send = (who: string, signal?: AbortSignal) =>
    fetch(at, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ who }),
      ...(signal && { signal }),
    });
  try {
    const first = send("first");
    await until(() => expect(seen).toContain("first begins"));
    const leaving = new AbortController();
    const impatient = send("impatient", leaving.signal).catch(() => "gone");
    await until(() => expect(seen).toContain("impatient asks"));
    leaving.abort();
    expect(await impatient).toBe("gone");
    await until(() => expect(seen).toContain("impatient has gone"));
    const last = send("last");
    await until(() => expect(seen).toContain("last asks"));
    held.resolve();
    expect([(await first).status, (await last).status]).toEqual([200, 200]);
    expect(seen).toContain("last begins");
    expect(seen).not.toContain("impatient begins");
  } finally {
    await app.close();
  }
});
