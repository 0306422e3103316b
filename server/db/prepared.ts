import { createHash } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";

const MARK = "/* prepared */ ";

/**
 * Begins a statement that runs many times a second and takes longer to plan than to run: its connection keeps its plan.
 * Not for a statement whose text depends on data, because every text is kept for as long as the connection.
 */
export const PREPARED = sql.raw(MARK);

/** In milliseconds. A plan that was made for a small table is used no longer for a large one. */
const PLANS_LAST = 1000;

/** A connection that prepares the statements that ask for it. */
export class PreparingClient extends pg.Client {
  #plannedAt = -Infinity;

  constructor(config?: pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...parts: unknown[]) => unknown;
    const prepare = (...parts: unknown[]) => {
      const [text, values] = parts;
      return typeof text === "string" && text.startsWith(MARK)
        ? this.#planned(query).then(() => query({ name: nameOf(text), text, values }))
        : query(...parts);
    };
    this.query = prepare as typeof this.query;
  }

  /** Where the transaction has failed, so does this, and the statement says it. */
  async #planned(query: (text: string) => unknown): Promise<void> {
    if (performance.now() - this.#plannedAt < PLANS_LAST) return;
    this.#plannedAt = performance.now();
    await Promise.resolve(query("DISCARD PLANS")).catch(() => undefined);
  }
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? createHash("sha1").update(text).digest("base64url");
  names.set(text, name);
  return name;
}
