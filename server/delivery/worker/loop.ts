export type Loop = {
  /** Does the next step now instead of after its pause. */
  wake(): void;
  /** Resolves when the step under way has ended; there will be no other. */
  stop(): Promise<void>;
};

const AFTER_ERROR_MS = 1000;

/** Repeats `step`, which answers how many milliseconds to pause, until it is stopped. A step that throws is told. */
export function startLoop(step: () => Promise<number>, onError: (error: unknown) => void): Loop {
  const stopping = new AbortController();
  let rung = false;
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
    // The first step, too, may ring: the caller has the loop by then.
    await Promise.resolve();
    while (!stopping.signal.aborted) {
      rung = false;
      let ms: number;
      try {
        ms = await step();
      } catch (error) {
        onError(error);
        // A bell must not turn a broken database into a storm of questions.
        rung = false;
        ms = AFTER_ERROR_MS;
      }
      if (ms > 0 && !rung && !stopping.signal.aborted) await pause(ms);
    }
  };
  const running = run();

  return {
    wake() {
      rung = true;
      wake?.();
    },
    async stop() {
      stopping.abort();
      wake?.();
      await running;
    },
  };
}
