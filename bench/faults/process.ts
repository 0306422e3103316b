import { setInterval } from "node:timers";
import type { KyselyPlugin } from "kysely";
import { connect } from "#server/db/database.ts";
import { recordAccounts } from "#server/delivery/accounts/accounts.ts";
import { openTransports } from "#server/delivery/accounts/open-transports.ts";
import { startScheduler } from "#server/delivery/schedules/scheduler.ts";
import { dependencies } from "#server/delivery/testing/scene.ts";
import { startWorker } from "#server/delivery/worker/worker.ts";
import { createLog } from "#server/log.ts";
import { emulatedAccount, type ProviderKind } from "./accounts.ts";

/** A process that `npm run faults` puts under stress: the real engine with short intervals. Its argument is this, as JSON. */
export type ProcessOptions = {
  role: "worker" | "scheduler";
  databaseUrl: string;
  provider: ProviderKind;
  /** The provider's. */
  host: string;
  port: number;
  /** A line is logged every 5 ms. */
  talkative: boolean;
  /** By how many milliseconds its clock is ahead. SIGUSR2 sets it right. */
  aheadMs: number;
  /** In milliseconds: when it gives up a silent connection. */
  answerWithin: number;
  /** It never hears of every tenth commit by which messages begin or are settled. */
  losesAnswers: boolean;
};

const { role, databaseUrl, provider, host, port, talkative, aheadMs, answerWithin, losesAnswers } =
  JSON.parse(process.argv[2] ?? "") as ProcessOptions;
if (aheadMs !== 0) setClock(aheadMs);
const log = createLog(talkative ? "info" : "fatal");
if (talkative) setInterval(() => log.info("a line"), 5);

const connected = connect(databaseUrl, { max: 8, answerWithin });
const db = losesAnswers ? connected.withPlugin(losingAnswers()) : connected;
const stop = role === "scheduler" ? schedule() : await work();
process.on("SIGTERM", () => void stop().then(() => process.exit(0)));
process.on("disconnect", () => process.exit(1));
process.send?.("ready");

function schedule(): () => Promise<void> {
  const scheduler = startScheduler({ db, dependencies, log });
  return () => scheduler.stop();
}

async function work(): Promise<() => Promise<void>> {
  const { account, apiUrls } = emulatedAccount(provider, { host, port });
  await recordAccounts(db, [account]);
  const transports = openTransports([account], [], { apiUrls });
  const worker = startWorker({
    db,
    listenUrl: databaseUrl,
    transports,
    linksFor: (token) => ({
      unsubscribe: `https://maple.example/u/${token}`,
      preferences: `https://maple.example/p/${token}`,
    }),
    log,
    times: { leaseMs: 3000, heartbeatMs: 500, pollMs: 200, reapMs: 500 },
  });
  return async () => {
    await worker.stop();
    await transports.close();
  };
}

function losingAnswers(): KyselyPlugin {
  const statements = new WeakSet<object>();
  let commits = 0;
  return {
    transformQuery({ node, queryId }) {
      if (/begin_deliveries|jsonb_to_recordset/.test(JSON.stringify(node))) statements.add(queryId);
      return node;
    },
    transformResult({ result, queryId }) {
      if (statements.has(queryId)) commits += 1;
      const isLost = statements.has(queryId) && commits % 10 === 0;
      return isLost ? Promise.reject(new Error("connection reset")) : Promise.resolve(result);
    },
  };
}

function setClock(aheadMs: number): void {
  let ms = aheadMs;
  process.on("SIGUSR2", () => (ms = 0));
  const now = Date.now.bind(Date);
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (_, given: []) => (given.length === 0 ? new RealDate(now() + ms) : new RealDate(...given)),
    get: (target, name) => (name === "now" ? () => now() + ms : (Reflect.get(target, name) as unknown)),
  });
}
