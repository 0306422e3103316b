import { createHash } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";

const MARK = "/* prepared */ ";

/**
 * Begins a statement that takes longer to plan than to run, and runs often or while someone waits: its connection keeps
 * its plan. Not for a statement with many texts, because every text is kept for as long as the connection.
 */
export const PREPARED = sql.raw(MARK);

/** In milliseconds. */
const PLANS_LAST = 600_000;
/** While tables grow, so that a plan made for a small table isn't kept once it is large. */
const PLANS_LAST_GROWING = 1000;

let grewAt = -Infinity;

/** Many rows were added, so plans from before are soon replaced. */
export function replanSoon(): void {
  grewAt = performance.now();
}

/** A connection that prepares the statements that ask for it. */
export class PreparingClient extends pg.Client {
  #plannedAt: number | undefined;

  constructor(config?: pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...parts: unknown[]) => unknown;
    const prepare = (...parts: unknown[]) => {
      const [text, values] = parts;
      return typeof text === "string" && text.startsWith(MARK)
        ? this.#planned(query, { name: nameOf(text), text, values })
        : query(...parts);
    };
    this.query = prepare as typeof this.query;
  }

  #planned(query: (...parts: unknown[]) => unknown, statement: object): unknown {
    const now = performance.now();
    const before = this.#plannedAt ?? (this.#plannedAt = now);
    if (now - before >= (grewAt > before ? PLANS_LAST_GROWING : PLANS_LAST)) {
      this.#plannedAt = now;
      // If the transaction has failed, this fails too, and the statement reports it.
      (query("DISCARD PLANS") as Promise<unknown>).catch(() => undefined);
    }
    return query(statement);
  }
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? createHash("sha1").update(text).digest("base64url");
  names.set(text, name);
  return name;
}
