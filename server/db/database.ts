import { Socket } from "node:net";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Schema } from "#server/db/schema.ts";

/** The handle that every query takes as its first argument: the pool, or a transaction on it. */
export type Db = Kysely<Schema>;

// int8 ids and counts stay far below 2^53; as strings they would leak into every reply.
const INT8 = 20;
const INT8_ARRAY = 1016;

const types = new pg.TypeOverrides();
types.setTypeParser(INT8, Number);
types.setTypeParser(INT8_ARRAY, (text) => (text === "{}" ? [] : text.slice(1, -1).split(",").map(Number)));

/** A connection that waits asks so often whether the other end is still there; after a failover it may not be. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** A host that vanished says nothing more, and the system would wait a quarter of an hour for it. */
const ANSWER_WITHIN_MS = 50_000;

export type ConnectOptions = {
  /** What the connections are for, as PostgreSQL lists them. */
  purpose?: string;
  /** Largest number of connections this process holds. */
  max?: number;
  /** In milliseconds: a statement that takes longer fails, and so does a connection that stays silent. 0: never. */
  answerWithin?: number;
  /** Told of connections that broke while idle; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void;
};

/** Opens a pool on `url` (postgres://…). It connects on first use. Close it with `db.destroy()`. */
export function connect(
  url: string,
  { purpose, max = 20, answerWithin = ANSWER_WITHIN_MS, onIdleError }: ConnectOptions = {},
): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: purpose ? `porchlight ${purpose}` : "porchlight",
    connectionTimeoutMillis: 10_000,
    // The server gives up a little earlier, so that silence means that it is gone.
    ...(answerWithin > 0 && { statement_timeout: Math.ceil(answerWithin * 0.9) }),
    stream: () => impatient(answerWithin),
    ...KEEP_ALIVE,
  });
  pool.on("error", (error) => onIdleError?.(error));
  // The pool listens to idle connections only. One that breaks in use fails its query, which is how its user hears of
  // it; without a listener the same error would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

/** A connection that is given up when nothing came or went for so long. The pool closes idle ones much earlier. */
function impatient(ms: number): Socket {
  const socket = new Socket();
  socket.setTimeout(ms, () => {
    socket.destroy(new Error(`The database has not answered for ${Math.round(ms / 1000)} seconds`));
  });
  return socket;
}

/**
 * Runs `work` in one transaction; called inside another it is a step of that one. Every operation of several statements
 * uses it, so that operations can be combined. `db.transaction()` itself, which refuses to run inside another, is for
 * what has to be on disk when it returns: the engine's chunks and claims, the migrations.
 */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** PostgreSQL's word for "someone else has this row locked" where NOWAIT asked not to wait for it. */
export function isLockRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}

/** PostgreSQL's word for "this value is taken": a unique index refused the row. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}
