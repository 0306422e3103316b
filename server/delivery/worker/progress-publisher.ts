import type { Db } from "#server/db/database.ts";
import { finishRuns } from "../runs/finish-runs.ts";
import { notifyPagesOfRuns } from "../hints.ts";
import { movingWith, startLoop, type Loop } from "./loop.ts";

const APART_MS = 300;

/** Notifies open pages about runs that have moved, at most a few times a second, and ends runs that are done. */
export class ProgressPublisher {
  readonly #db: Db;
  readonly #loop: Loop;
  #moved = new Set<number>();

  constructor(db: Db, options: { onError: (error: unknown) => void; stuckMs: number }) {
    this.#db = db;
    this.#loop = startLoop((turn) => this.#tell(movingWith(db, turn)), { name: "progress", ...options });
  }

  moved(deliveries: readonly { runId: number }[]): void {
    for (const { runId } of deliveries) this.#moved.add(runId);
    if (deliveries.length > 0) this.#loop.wake();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#tell(this.#db);
  }

  async #tell(db: Db): Promise<number> {
    if (this.#moved.size === 0) return 60_000;
    const runIds = [...this.#moved];
    this.#moved.clear();
    await finishRuns(db, runIds);
    await notifyPagesOfRuns(db, runIds);
    await new Promise((resolve) => setTimeout(resolve, APART_MS));
    return this.#moved.size > 0 ? 0 : 60_000;
  }
}
