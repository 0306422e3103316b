import { sql, type KyselyPlugin } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { connect, type Db } from "#server/db/database.ts";
import { until } from "#server/testing/until.ts";
import { startScheduler } from "../schedules/scheduler.ts";
import { withEngines } from "../testing/engine.ts";
import { FakeTransport } from "../testing/fake-transport.ts";
import { quiet } from "../testing/quick-worker.ts";
import { addPeople, dependencies, notificationStatus, send } from "../testing/scene.ts";

/** Each loop of the worker and of the scheduler, one of whose steps never ends. */

const engine = withEngines();
/** A transaction that hangs is ended by the server before its loop gives it up, as in production. */
const STUCK_MS = 600;

const hung: (() => void)[] = [];
const pools: Db[] = [];
// A pool isn't closed while a statement has no answer.
afterEach(async () => {
  hung.splice(0).forEach((end) => end());
  await Promise.all(pools.splice(0).map((pool) => pool.destroy()));
});

/**
 * The engine's database. The first statement like each of these, by its loop, gets no answer, or the one after so many.
 * `asked`: how often each came.
 */
function hangingOnce(statements: Readonly<Record<string, RegExp>>, after = 0) {
  const asked = new Map<string, number>();
  const silent = new Set<string>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const text = JSON.stringify(node);
      for (const [loop, like] of Object.entries(statements)) {
        if (!like.test(text)) continue;
        asked.set(loop, (asked.get(loop) ?? 0) + 1);
        if (asked.get(loop) === after + 1) silent.add(queryId.queryId);
      }
      return node;
    },
    transformResult({ result, queryId }) {
      if (!silent.has(queryId.queryId)) return Promise.resolve(result);
      return new Promise((resolve) => hung.push(() => resolve(result)));
    },
  };
  const pool = connect(engine.url, { max: 20, answerWithin: STUCK_MS });
  pools.push(pool);
  return { db: pool.withPlugin(plugin), asked };
}

/** What was logged as an error. */
function watchedLog() {
  const errors: string[] = [];
  const log = { ...quiet, error: ({ err }: Record<string, unknown>) => errors.push(String(err)) };
  return { log, errors };
}

const reportOf = (loop: string) => expect.stringContaining(`A step of "${loop}" hasn't moved for `);

test("a worker's step that hangs, in any of its loops, is reported, and its loop goes on", async () => {
  const statements = {
    "emergency fan-out": /AND r\.class = 'emergency'/,
    "fan-out": /FROM resends s JOIN runs/,
    receipts: /AS text FROM receipts/,
    "bounce mailboxes": /DELETE FROM bounce_mailboxes/,
    "unconfirmed messages": /AS begun.*JOIN content_versions/,
    takeover: /WITH over AS/,
    refusals: /SELECT WHERE EXISTS \(SELECT FROM accounts a/,
    clock: / WHERE lease_until > "/,
    "finished runs": /FROM resends s WHERE s\.run_id = r\.id/,
    cancellations: /FROM open_cancellations r WHERE EXISTS/,
    expiry: /WITH unserved AS/,
    "closed cancellations": /DELETE FROM open_cancellations/,
  };
  const { db, asked } = hangingOnce(statements);
  const { log, errors } = watchedLog();
  await engine.start(new FakeTransport(), { db, log, times: { stuckMs: STUCK_MS } });
  await until(() => {
    for (const loop of Object.keys(statements)) {
      expect(errors).toContainEqual(reportOf(loop));
      expect(asked.get(loop)).toBeGreaterThan(1);
    }
  });
});

test("a step of an account that hangs is reported, and a new session serves all accounts", async () => {
  await addPeople(engine.db, 3);
  const transport = new FakeTransport();
  vi.spyOn(transport, "check").mockReturnValueOnce(new Promise(() => undefined));
  const { log, errors } = watchedLog();
  await engine.start(transport, { log, times: { stuckMs: STUCK_MS } });
  const state = (state: string) =>
    sql`UPDATE accounts SET state = ${state}, retry_at = now() WHERE channel = 'email' AND enabled`.execute(
      engine.db,
    );
  await state("paused");
  await until(() =>
    expect(errors).toContainEqual(expect.stringMatching(/A step of "account \d+" hasn't moved/)),
  );
  await state("ok");
  const { notificationId } = await send(engine.db);
  await until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered"));
});

test("a read of all accounts that hangs is reported, and a new session follows", async () => {
  await addPeople(engine.db, 3);
  // A session reads them before it has loops.
  const { db } = hangingOnce({ accounts: /FROM accounts WHERE enabled ORDER BY id/ }, 1);
  const { log, errors } = watchedLog();
  const transport = new FakeTransport();
  await engine.start(transport, { db, log, times: { stuckMs: STUCK_MS } });
  await until(() => expect(errors).toContainEqual(reportOf("accounts")));
  const { notificationId } = await send(engine.db);
  await until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered"));
});

test("a scheduler's step that hangs, in any of its loops, is reported, and its loop goes on", async () => {
  const statements = {
    schedules: /FROM notifications.*WHERE status = 'Scheduled'/,
    maintenance: /WITH added_up/,
    lookahead: /WHERE s\.active AND s\.deleted_at IS NULL AND .*ORDER BY s\.id/,
    homes: /NOT u\.home_during @> now/,
    dates: /dates_at IS NOT NULL ORDER BY id/,
  };
  const { db, asked } = hangingOnce(statements);
  const { log, errors } = watchedLog();
  const scheduler = startScheduler({ db, dependencies, log, stuckMs: STUCK_MS });
  try {
    await until(() => {
      for (const loop of Object.keys(statements)) {
        expect(errors).toContainEqual(reportOf(loop));
        expect(asked.get(loop)).toBeGreaterThan(1);
      }
    });
  } finally {
    await scheduler.stop();
  }
});
