import { Socket } from "node:net";
import { Kysely, PostgresDialect, type LogEvent } from "kysely";
import pg from "pg";
import { PipeliningClient } from "#server/db/pipelined.ts";
import type { Schema } from "#server/db/schema.ts";
import { isTracing, span, emit, traceparent } from "#server/telemetry/signals.ts";

/** The handle that every query takes as its first argument: the pool, or a transaction on it. */
export type Db = Kysely<Schema>;

// int8 ids and counts stay far below 2^53; as strings they would leak into every reply.
const INT8 = 20;
const INT8_ARRAY = 1016;

const types = new pg.TypeOverrides();
types.setTypeParser(INT8, Number);
types.setTypeParser(INT8_ARRAY, (text) => (text === "{}" ? [] : text.slice(1, -1).split(",").map(Number)));

/** How often a waiting connection checks that the other end is still there. After a failover it may not be. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** A host that vanished sends nothing, and the system would wait a quarter of an hour for it. */
const ANSWER_WITHIN_MS = 50_000;

type ConnectOptions = {
  /** What the connections are for, as PostgreSQL shows it. */
  purpose?: string;
  /** Maximum number of connections this process holds. */
  max?: number;
  /** In milliseconds. A statement that takes longer fails, and so does a silent connection. 0: no limit. */
  answerWithin?: number;
  /** Called when an idle connection breaks; the pool replaces it automatically. */
  onIdleError?: (error: Error) => void;
};

/** Opens a pool on `url` (postgres://…). It connects on first use. Close it with `db.destroy()`. */
export function connect(
  url: string,
  { purpose, max = 20, answerWithin = ANSWER_WITHIN_MS, onIdleError }: ConnectOptions = {},
): Db {
  // Either end gives up slightly before its silence means that it is gone.
  const patience = Math.ceil((answerWithin || ANSWER_WITHIN_MS) * 0.9);
  const pool = new pg.Pool({
    Client: PipeliningClient,
    connectionString: url,
    max,
    types,
    application_name: purpose ? `porchlight ${purpose}` : "porchlight",
    connectionTimeoutMillis: 10_000,
    // As late as possible, because a page takes twice as long over new connections.
    idleTimeoutMillis: patience,
    ...(answerWithin > 0 && { statement_timeout: patience }),
    // If we are gone, the server frees our locks.
    idle_in_transaction_session_timeout: patience,
    stream: () => socketWithTimeout(answerWithin),
    ...KEEP_ALIVE,
  });
  pool.on("error", (error) => {
    // The pool adds its client, which a log would write in full.
    Reflect.deleteProperty(error, "client");
    onIdleError?.(error);
  });
  // The pool only watches idle connections. A connection that breaks in use fails its query; without this listener the
  // same error would also end the process.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    countIfBroken(client);
  });
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    ...(isTracing() && { log: traceQuery }),
  });
  pools.set(db, pool);
  return db;
}

/** One connection can report several errors: what ended it, and then that it ended. */
export function countIfBroken(client: pg.ClientBase): void {
  client.once("error", () => emit("connectionBroken", {}));
}

/** The statement without its parameters. Nothing outside of a span, such as polling, is traced. */
function traceQuery({ query, queryDurationMillis, ...event }: LogEvent): void {
  if (!traceparent()) return;
  const code = event.level === "error" ? (event.error as NodeJS.ErrnoException).code : undefined;
  const attributes = { "db.system.name": "postgresql", "db.query.text": query.sql, "error.type": code };
  const startedAt = Date.now() - queryDurationMillis;
  void span("query", { startedAt, attributes }, () => Promise.resolve());
}

const pools = new WeakMap<Db, pg.Pool>();

/** How the connections of a pool are used; `waiting`: queries that wait for one. */
export function connectionsOf(db: Db): Record<"busy" | "idle" | "waiting", number> {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {};
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/** A connection that is dropped after this long without traffic. The pool closes idle ones earlier. */
function socketWithTimeout(ms: number): Socket {
  const socket = new Socket();
  socket.setTimeout(ms, () => {
    socket.destroy(new Error(`The database has not answered for ${Math.round(ms / 1000)} seconds`));
  });
  return socket;
}

/**
 * Runs `work` in one transaction, or inside the caller's transaction if there is one. Every operation of several
 * statements uses it, so that operations can be combined. `db.transaction()` refuses to run inside another. It is for
 * what must be on disk when it returns: the engine's chunks and claims, and migrations.
 */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** PostgreSQL's code for a statement that took longer than statement_timeout, or that someone cancelled. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57014";
}

/** PostgreSQL's code for what someone else has locked, under NOWAIT or past lock_timeout. */
export function isLockRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}

/** PostgreSQL's code for a transaction that was ended because it and another one waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "40P01";
}

/** PostgreSQL's code for a violated unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}

/** PostgreSQL can't store these values: they are invalid, break a constraint, or are too large (classes 22, 23 and 54). */
export function isDataError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:22|23|54)\w{3}$/.test(String(error.code));
}
