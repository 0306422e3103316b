import { isSilent } from "./hedge.ts";

export type Loop = {
  /** Runs the next step now instead of after its pause. */
  wake(): void;
  /** Resolves when the current step has ended; no other follows. */
  stop(): Promise<void>;
};

const AFTER_ERROR_MS = 1000;
export const STUCK_MS = 60_000;

/** `onStuck`: a step hasn't ended for a minute, so it is left alone, and no other follows. */
type Supervision = { onStuck?: (error: Error) => void };

/**
 * Repeats `step`, which returns how many milliseconds to pause, until it is stopped. A step that throws is reported.
 */
export function startLoop(
  step: () => Promise<number>,
  onError: (error: unknown) => void,
  { onStuck }: Supervision = {},
): Loop {
  const stopping = new AbortController();
  let woken = false;
  let wake: (() => void) | undefined;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    }).finally(() => (wake = undefined));

  const run = async () => {
    // The first step may also wake the loop: the caller has it by then.
    await Promise.resolve();
    while (!stopping.signal.aborted) {
      woken = false;
      let ms: number;
      try {
        const stepping = step();
        if (onStuck && (await isSilent(stepping, STUCK_MS))) {
          stepping.catch(onError);
          return onStuck(new Error("A step of the worker hasn't moved for a minute."));
        }
        ms = await stepping;
      } catch (error) {
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
      wake?.();
      await running;
    },
  };
}
