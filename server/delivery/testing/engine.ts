import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { connect, type Db } from "#server/db/database.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import type { TransportAdapter } from "#server/delivery/transports/adapter.ts";
import { recordAccounts, type EnvironmentAccount } from "../accounts/accounts.ts";
import { openTransports } from "../accounts/open-transports.ts";
import { startWorker, type Worker, type WorkerOptions } from "../worker/worker.ts";
import { imbalance } from "./run-totals.ts";
import { adapterFor, FakeTransport } from "./fake-transport.ts";
import { accountFor, linksFor, quick, quiet } from "./quick-worker.ts";
import { clear } from "./scene.ts";

type EngineOptions = {
  /** Takes texts and push, which go to real accounts otherwise. */
  sandbox?: FakeTransport;
  adapters?: TransportAdapter[];
  ratePerSecond?: number;
  times?: WorkerOptions["times"];
  db?: Db;
} & Partial<Pick<WorkerOptions, "linksFor" | "mintOneTimeLinks" | "log">>;

/**
 * A database and as many workers on it as a test starts, on quick times. Register it once at the top of a file:
 * after each test the workers are stopped and the counters compared with a recount.
 */
export function withEngines() {
  let database: TestDatabase | undefined;
  let workersDb: Db | undefined;
  const workers: Worker[] = [];
  const own = () => {
    if (!database) throw new Error("The database is there from beforeAll on.");
    return database;
  };

  beforeAll(async () => {
    database = await testDatabase();
    workersDb = connectWorkers(database.url);
  });
  // There are real accounts from the beginning: a run decides by that where its messages go.
  beforeEach(async () => {
    await clear(own().db);
    await recordAccounts(own().db, [accountFor(new FakeTransport()), ...elsewhere()]);
    await sql`UPDATE accounts SET state = 'ok' WHERE enabled`.execute(own().db);
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    const wrong = await imbalance(own().db);
    if (wrong.length > 0) throw new Error(`The counters differ from a recount: ${JSON.stringify(wrong)}`);
  });
  afterAll(async () => {
    await workersDb?.destroy();
    await own().close();
  });

  return {
    get db() {
      return own().db;
    },
    get url() {
      return own().url;
    },
    /** Email goes to this transport, or these accounts. */
    async start(
      transport: FakeTransport | EnvironmentAccount[],
      options: EngineOptions = {},
    ): Promise<Worker> {
      const {
        sandbox,
        adapters = [adapterFor(sandbox ?? new FakeTransport({ kind: "sandbox", simulated: true }))],
        ratePerSecond,
        times,
        db = workersDb!,
        ...given
      } = options;
      const accounts =
        transport instanceof FakeTransport ? [accountFor(transport, { ratePerSecond })] : [...transport];
      if (!sandbox && !options.adapters) accounts.push(...elsewhere());
      await recordAccounts(own().db, accounts);
      await sql`UPDATE accounts SET state = 'ok', retry_at = NULL, setbacks = 0, tokens = 0 WHERE enabled`.execute(
        own().db,
      );
      const worker = startWorker({
        db,
        listenUrl: own().url,
        transports: openTransports(accounts, adapters),
        linksFor,
        log: quiet,
        ...given,
        random: () => 0.02,
        times: { ...quick, ...times },
      });
      workers.push(worker);
      return worker;
    },
  };
}

/**
 * Most of what the workers of a test cost is planning: each connection plans each of its statements anew, the first five
 * times for the values at hand. So there are few connections, and each statement is planned once.
 */
function connectWorkers(databaseUrl: string): Db {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", "-c plan_cache_mode=force_generic_plan");
  return connect(url.href, { max: 5 });
}

function elsewhere(): EnvironmentAccount[] {
  const transport = new FakeTransport({ kind: "elsewhere" });
  return (["sms", "push"] as const).map((channel) => accountFor(transport, { channel }));
}
