import type { Db } from "#server/db/database.ts";

export type Loop = {
  /** Runs the next step now instead of after its pause. */
  wake(): void;
  /** Resolves when the current step has ended; no other follows. */
  stop(): Promise<void>;
};

/** `signal`: aborted when the loop stops or gives this step up. `moved`: the step is getting somewhere. */
export type Turn = { signal: AbortSignal; moved: () => void };

const AFTER_ERROR_MS = 1000;
export const STUCK_MS = 60_000;

type LoopOptions = {
  /** As a report calls it. */
  name: string;
  onError: (error: unknown) => void;
  /** A step that doesn't move for this long is given up. */
  stuckMs?: number;
  /**
   * Takes the report of a step that was given up, and no other follows. Without it, the next step follows as if another
   * process took over, so it has to be safe beside one that wakes up late.
   */
  onStuck?: ((error: Error) => void) | undefined;
};

/**
 * Repeats `step`, which returns how many milliseconds to pause, until it is stopped. A step that throws is reported, and
 * so is one that hangs. It is left alone: nothing waits for it anymore.
 */
export function startLoop(
  step: (turn: Turn) => Promise<number>,
  { name, onError, stuckMs = STUCK_MS, onStuck }: LoopOptions,
): Loop {
  const stopping = new AbortController();
  let woken = false;
  let wake: (() => void) | undefined;
  let turn: AbortController | undefined;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    }).finally(() => (wake = undefined));

  /** @throws {StuckError} */
  const oneStep = () => {
    const current = (turn = new AbortController());
    return new Promise<number>((resolve, reject) => {
      let open = true;
      const timer = setTimeout(() => {
        open = false;
        reject(new StuckError(name, stuckMs));
        current.abort();
      }, stuckMs);
      const moved = () => open && timer.refresh();
      const stepping = step({ signal: current.signal, moved });
      stepping.then(resolve, (error: unknown) => (open ? reject(error as Error) : onError(error)));
      const ended = () => {
        open = false;
        clearTimeout(timer);
      };
      stepping.then(ended, ended);
    });
  };

  const run = async () => {
    // The first step may also wake the loop: the caller has it by then.
    await Promise.resolve();
    while (!stopping.signal.aborted) {
      woken = false;
      let ms: number;
      try {
        ms = await oneStep();
      } catch (error) {
        if (error instanceof StuckError && onStuck) return onStuck(error);
        onError(error);
        // Repeated wakes must not turn a broken database into a storm of queries.
        woken = false;
        ms = AFTER_ERROR_MS;
      }
      if (ms > 0 && !woken && !stopping.signal.aborted) await pause(ms);
    }
  };
  const running = run();

  return {
    wake() {
      woken = true;
      wake?.();
    },
    async stop() {
      stopping.abort();
      turn?.abort();
      wake?.();
      await running;
    },
  };
}

class StuckError extends Error {
  override name = "StuckError";
  constructor(loop: string, ms: number) {
    super(`A step of "${loop}" hasn't moved for ${Math.round(ms / 1000)} seconds, so it was given up`);
  }
}

/** `db` for a step of many statements: it moves with each answer. */
export function movingWith(db: Db, { moved }: Turn): Db {
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      moved();
      return Promise.resolve(result);
    },
  });
}
