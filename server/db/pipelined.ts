import { sql } from "kysely";
import type pg from "pg";
import { PreparingClient } from "./prepared.ts";

const MARK = "/* pipelined */ ";

/**
 * Begins a statement whose rows no one reads. In a transaction, it travels ahead of the next statement, and no one waits
 * for its answer. If it fails, the next statement fails with its error.
 */
export const PIPELINED = sql.raw(MARK);

const BEGIN = /^(?:begin|start transaction)/;
const END = /^(?:commit|rollback)$/;
const NO_ROWS = { command: "", rowCount: null, rows: [] };

/** A connection that pipelines the statements that ask for it, and the beginning of each transaction. */
export class PipeliningClient extends PreparingClient {
  /** What no one has waited for; undefined outside of a transaction. */
  #ahead: Promise<unknown>[] | undefined;

  constructor(config?: pg.ClientConfig) {
    super({ ...config, pipeline: true });
    const query = this.query.bind(this) as (...parts: unknown[]) => Promise<unknown>;
    const pipeline = (...parts: unknown[]) => {
      const [text] = parts;
      if (typeof text !== "string") return query(...parts);
      if (BEGIN.test(text)) this.#ahead = [];
      if (!this.#ahead) return query(...parts);
      const answer = query(...parts);
      if (BEGIN.test(text) || text.startsWith(MARK)) {
        answer.catch(() => undefined);
        this.#ahead.push(answer);
        return Promise.resolve(NO_ROWS);
      }
      const ahead = this.#ahead.splice(0);
      if (END.test(text)) this.#ahead = undefined;
      return text === "rollback" ? answer : answerAfter(ahead, answer);
    };
    this.query = pipeline as typeof this.query;
  }
}

/** The answer, or the first failure: PostgreSQL refuses all that comes after it in the same transaction. */
async function answerAfter(ahead: readonly Promise<unknown>[], answer: Promise<unknown>): Promise<unknown> {
  const outcomes = await Promise.allSettled([...ahead, answer]);
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return answer;
}
