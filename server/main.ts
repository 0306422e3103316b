import type { FastifyInstance } from "fastify";
import { announcement } from "#server/announcement.ts";
import { createApp } from "#server/app.ts";
import { parseConfig, type Config, type Role } from "#server/config.ts";
import { connect, type Db } from "#server/db/database.ts";
import { SecretBox } from "#server/db/secret-box.ts";
import { rotateSecrets } from "#server/delivery/accounts/account-secrets.ts";
import { EmbeddedError } from "#server/db/embedded/embedded-error.ts";
import { startEmbedded } from "#server/db/embedded/embedded.ts";
import { checkExternalDatabase, DatabaseError } from "#server/db/external.ts";
import { migrate, SchemaError } from "#server/db/migrate.ts";
import { warningOfFewLocks } from "#server/db/months.ts";
import { enabledAccounts, recordAccounts } from "#server/delivery/accounts/accounts.ts";
import { openTransports, type Transports } from "#server/delivery/accounts/open-transports.ts";
import { pushRecipients } from "#server/delivery/transports/push/recipients.ts";
import { readTrackingKey, trackerFor } from "#server/delivery/receipts/tracking-address.ts";
import { startScheduler } from "#server/delivery/schedules/scheduler.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
import { adapters } from "#server/delivery/transports/registry.ts";
import { isLoopback } from "#server/delivery/transports/loopback.ts";
import { startWorker } from "#server/delivery/worker/worker.ts";
import { ConfigError } from "#server/environment.ts";
import { setupCode } from "#server/features/auth/setup-code.ts";
import { preferenceLinks } from "#server/features/consent/links.ts";
import { oneTimeLinks } from "#server/features/credentials/mint-links.ts";
import { rotateTotpSecrets } from "#server/features/two-factor/totp.ts";
import { followHomeCountry } from "#server/features/people/home-country.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { lifecycle } from "#server/lifecycle.ts";
import { createLog } from "#server/log.ts";
import { SecretKeyError, secretKeysOf } from "#server/secret-keys.ts";
import { ensureWebBuild, WebBuildError } from "#server/web-build.ts";

/** The server cannot listen on the port; the message says how to fix it. */
class ListenError extends Error {}

/** However many pages are requested at once, sending never waits for them. docs/deploy.md has the total. */
const mostConnections: Record<Role, number> = { web: 12, worker: 8, scheduler: 2 };

/** One Porchlight process in the roles that PORCHLIGHT_ROLES names. */
const config = readConfig();
const log = createLog(config.logLevel);
const life = lifecycle({ log, seconds: config.shutdownSeconds });
try {
  await start();
} catch (error) {
  reportFailure(error);
  await life.end(1);
}

async function start(): Promise<void> {
  if (config.tracing) await startTraces();
  // While the database starts. If that fails, it says why.
  const webRoot = config.roles.includes("web") ? ensureWebBuild({ log: (text) => log.info(text) }) : null;
  webRoot?.catch(() => undefined);
  const url = config.databaseUrl ?? (await ownDatabase());
  const pools = openPools(url);
  await life.own("database connections", Promise.resolve(pools), closePools);
  const health = connect(url, { purpose: "health", max: 1, answerWithin: 3000 });
  await life.own("connection for probes", Promise.resolve(health), () => health.destroy());
  let started = false;
  // First, because waiting for the database and migrating take long, and a probe must not take this process for dead.
  if (config.metrics) await startMetrics(config.metrics, url, { health, pools, isStarted: () => started });
  if (config.databaseUrl) {
    // What probes it also restarts it, and a restart wouldn't help.
    const patience = config.metrics ? Infinity : 60_000;
    const answer = checkExternalDatabase(url, { log, patience, signal: life.ending });
    await life.own("wait for the database", answer, () => Promise.resolve());
  }
  await life.own("migration", migrateSchema(url), () => Promise.resolve());
  const db = pools.web;
  const [role = "web"] = config.roles;
  await life.own("home country", followHomeCountry(pools[role]), ({ stop }) => stop());
  const secrets = new SecretBox(config.secretKeys ?? (await secretKeysOf(config.dataDir)));
  const transports = await life.own("transports", openAccounts(pools, secrets), (opened) => opened.close());
  if (config.roles.includes("worker")) {
    const publicUrl = new URL(config.publicUrl);
    const worker = startWorker({
      db: pools.worker,
      listenUrl: url,
      transports,
      linksFor: preferenceLinks(publicUrl),
      mintOneTimeLinks: oneTimeLinks(pools.worker, publicUrl),
      log,
    });
    await life.run("delivery worker", Promise.resolve(worker), () => worker.stop());
  }
  if (config.roles.includes("scheduler")) {
    // A large month takes longer than a statement may take elsewhere.
    const archive = connect(url, { purpose: "archive", max: 1, answerWithin: 0 });
    await life.own("connection for archiving", Promise.resolve(archive), () => archive.destroy());
    const scheduler = startScheduler({
      db: pools.scheduler,
      dependencies: { organization: readOrganization },
      archive: {
        db: archive,
        folder: config.archiveDir,
        keepMonths: (db) => readSetting(db, "deliveryMonths"),
      },
      log,
    });
    await life.run("scheduler", Promise.resolve(scheduler), () => scheduler.stop());
  }
  if (webRoot) {
    const parts = { db, health, transports, secrets, webRoot: await webRoot };
    await life.run("web server", startWeb(url, parts), stopWeb);
  }
  await announce(db);
  started = true;
}

async function startTraces(): Promise<void> {
  const { startTracing } = await import("#server/telemetry/tracing.ts");
  const onProblem = (message: string) => log.warn(`Traces: ${message}`);
  const tracing = startTracing({ roles: config.roles, onProblem });
  await life.own("traces", Promise.resolve(tracing), () => tracing.stop());
}

/** Loaded only here, so that a process without it needs neither the time nor the memory. */
async function startMetrics(
  { port, host, token }: NonNullable<Config["metrics"]>,
  url: string,
  given: { health: Db; pools: Record<Role, Db>; isStarted: () => boolean },
): Promise<void> {
  const { createMetricsServer } = await import("#server/telemetry/metrics-server.ts");
  const db = connect(url, { purpose: "metrics", max: 1, answerWithin: 5000 });
  await life.own("connection for metrics", Promise.resolve(db), () => db.destroy());
  const app = createMetricsServer({ db, ...given, token });
  const listening = app.listen({ port, host }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { port, host, setting: "METRICS_PORT" });
  });
  await life.own("metrics server", listening, () => app.close());
}

async function ownDatabase(): Promise<string> {
  const embedded = startEmbedded({ dataDir: config.dataDir, log });
  return (await life.own("database server", embedded, ({ stop }) => stop())).url;
}

/** Startup uses the web role's pool. A pool that no one uses holds no connection. */
function openPools(url: string): Record<Role, Db> {
  const open = (role: Role) =>
    connect(url, {
      purpose: role,
      max: mostConnections[role],
      onIdleError: (error) => log.warn({ err: error }, "A database connection broke"),
    });
  return { web: open("web"), worker: open("worker"), scheduler: open("scheduler") };
}

async function migrateSchema(url: string): Promise<void> {
  // A step over a large table may take long.
  const db = connect(url, { purpose: "migrations", max: 2, answerWithin: 0 });
  try {
    const applied = await migrate(db, {
      onChange: (change) => log.warn(change),
      onWait: (reason) => log.warn(reason),
      signal: life.ending,
    });
    // A new database takes all of them: as many lines would hide what comes next.
    if (applied.length > 0)
      log.info({ steps: applied.length, last: applied.at(-1) }, "The database schema was migrated");
    const warning = await warningOfFewLocks(db);
    if (warning) log.warn(warning);
  } finally {
    await db.destroy();
  }
}

async function closePools(pools: Record<Role, Db>): Promise<void> {
  await Promise.all(Object.values(pools).map((pool) => pool.destroy()));
}

async function openAccounts({ web: db, worker }: Record<Role, Db>, secrets: SecretBox): Promise<Transports> {
  const { accounts, apiUrls, privateAddresses } = config;
  // A process that sends nothing may lack the settings, and must not switch off the account for the others.
  if (config.roles.includes("worker")) {
    for (const warning of await recordAccounts(db, accounts)) log.warn(warning);
    await checkNextRuns(db);
  }
  if (isLoopback(new URL(config.publicUrl).hostname) && config.roles.some((role) => role !== "scheduler"))
    await warnOfLocalLinks(db);
  const rotated = {
    accounts: await rotateSecrets(db, secrets),
    authenticatorApps: await rotateTotpSecrets(db, secrets),
  };
  if (rotated.accounts + rotated.authenticatorApps > 0)
    log.info(rotated, "Saved passwords and keys were encrypted with the new key");
  const recipients = pushRecipients(worker);
  const publicUrl = new URL(config.publicUrl);
  return openTransports(accounts, adapters, {
    secrets,
    apiUrls,
    privateAddresses,
    recipients,
    publicUrl,
    tracker: trackerFor(await readTrackingKey(db), publicUrl),
  });
}

/** Also with accounts that were set up in the console: each process has links of its own. */
async function warnOfLocalLinks(db: Db): Promise<void> {
  const real = (await enabledAccounts(db)).filter(({ simulated }) => !simulated);
  if (real.length === 0) return;
  log.warn(
    `Messages go out through ${real.map(({ name }) => name).join(", ")}, but their links lead to ` +
      `${config.publicUrl}, which only opens on this computer. ` +
      "Set PORCHLIGHT_URL to the address people use to reach it.",
  );
}

async function startWeb(
  listenUrl: string,
  parts: { db: Db; health: Db; transports: Transports; secrets: SecretBox; webRoot: string },
): Promise<FastifyInstance> {
  const app = await createApp({
    ...parts,
    listenUrl,
    publicUrl: new URL(config.publicUrl),
    trustProxy: config.trustProxy,
    log,
    checkReplies: false,
  });
  try {
    await app.listen({ port: config.port, host: config.host });
    return app;
  } catch (error) {
    await app.close();
    throw listenError(error as NodeJS.ErrnoException, { ...config, setting: "PORT" });
  }
}

/**
 * Lets requests finish. Their connections would then stay open for a next request, so idle ones are closed repeatedly.
 * Clients so slow that nothing else would be stopped in time are cut off.
 */
async function stopWeb(app: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100);
  const cut = setTimeout(() => app.server.closeAllConnections(), config.shutdownSeconds * 500);
  await app.close();
  clearInterval(sweep);
  clearTimeout(cut);
}

/** The first thing a person looks for, at any log level. */
async function announce(db: Db): Promise<void> {
  const pages = config.roles.includes("web");
  const text = announcement(
    {
      url: pages ? config.publicUrl : undefined,
      roles: config.roles,
      setupCode: pages ? await setupCode(db) : null,
    },
    { onTerminal: process.stdout.isTTY },
  );
  process.stdout.write(text);
}

function readConfig(): Config {
  try {
    return parseConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    refuse(error.message);
    return process.exit(1);
  }
}

function listenError(
  error: NodeJS.ErrnoException,
  { port, host, setting }: { port: number; host: string; setting: string },
): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new ListenError(
        `Port ${port} of ${host} is in use by another program. Stop it, or choose another port, such as ${setting}=${port + 1}.`,
      );
    case "EACCES":
      return new ListenError(
        `Port ${port} can't be opened by this user. Choose one above 1023, such as ${setting}=3000.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new ListenError(
        `HOST=${host} is not an address of this machine. HOST=0.0.0.0 means all of them.`,
      );
    default:
      return error;
  }
}

/** A problem that an operator can fix is one clear sentence; anything else is for developers, with its stack. */
function reportFailure(error: unknown): void {
  const operatorErrors = [
    ListenError,
    EmbeddedError,
    DatabaseError,
    SchemaError,
    SecretKeyError,
    WebBuildError,
  ];
  if (error instanceof Error && operatorErrors.some((kind) => error instanceof kind)) refuse(error.message);
  else log.fatal({ err: error }, "Porchlight cannot start");
}

function refuse(reason: string): void {
  process.stderr.write(`Porchlight cannot start. ${reason}\n`);
}
