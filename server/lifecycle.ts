import type { EventEmitter } from "node:events";

type LifecycleLog = {
  info(message: string): void;
  error(details: object, message: string): void;
  fatal(details: object, message: string): void;
};

export type Lifecycle = {
  /**
   * Waits for something that is being started, and has it stopped at the end, last started first. Once shutdown has
   * begun this never returns, so an interrupted start goes no further.
   */
  own<Thing>(
    what: string,
    starting: Promise<Thing>,
    stop: (thing: Thing) => Promise<unknown>,
  ): Promise<Thing>;
  /**
   * The same for workers that need what is owned, but not each other: they are all stopped first, at the same time, so
   * that a slow one takes no time from the others.
   */
  run: Lifecycle["own"];
  /** Aborts when shutdown begins, so that a start that is waiting gives up. */
  ending: AbortSignal;
  /** Ends the process: stops everything within the time allowed, and exits. */
  end(exitCode: number): Promise<void>;
};

type Stoppable = { what: string; stop: () => Promise<unknown> };

/** A person may press Ctrl+C twice; npm forwards a signal that the process already got from the terminal. */
const sameSignalMs = 1000;

/**
 * How a process ends. SIGTERM and SIGINT stop what was started and exit with 0; a second signal, or `seconds`
 * without an end, exits at once with 1. An error that no one caught is logged and ends the process the same way
 * with 1: the state it left is unknown, and a supervisor starts a clean one.
 *
 * @param host the process; its signals and errors are listened to from now on
 */
export function lifecycle({
  log,
  seconds,
  host = process,
}: {
  log: LifecycleLog;
  seconds: number;
  host?: EventEmitter & { exit(code: number): void };
}): Lifecycle {
  const running: Stoppable[] = [];
  const owned: Stoppable[] = [];
  const ended = new AbortController();
  let ending: Promise<void> | undefined;
  let askedAt = 0;

  async function stopAll(exitCode: number): Promise<void> {
    ended.abort();
    const deadline = setTimeout(() => {
      log.error({ seconds }, "Stopping is taking too long; forcing it");
      host.exit(1);
    }, seconds * 1000);
    let code = exitCode;
    const stopOne = ({ what, stop }: Stoppable): Promise<unknown> =>
      stop().catch((error: unknown) => {
        log.error({ err: error }, `Stopping the ${what} failed`);
        code = 1;
      });
    await Promise.all(running.map(stopOne));
    for (const one of owned.toReversed()) await stopOne(one);
    clearTimeout(deadline);
    host.exit(code);
  }

  const end = (exitCode: number): Promise<void> => (ending ??= stopAll(exitCode));

  for (const signal of ["SIGTERM", "SIGINT"]) {
    host.on(signal, () => {
      const now = Date.now();
      if (!ending) {
        askedAt = now;
        log.info(`${signal}: stopping. Send it again to force it`);
        void end(0);
      } else if (now - askedAt > sameSignalMs) {
        log.info(`${signal} again: stopping at once`);
        host.exit(1);
      }
    });
  }
  host.on("uncaughtException", (error: Error) => {
    log.fatal({ err: error }, "Uncaught error; stopping");
    void end(1);
  });

  const holdIn =
    (list: Stoppable[]): Lifecycle["own"] =>
    async (what, starting, stop) => {
      list.push({
        what,
        stop: () =>
          starting.then(
            (thing) => stop(thing),
            () => undefined,
          ),
      });
      try {
        return await starting;
      } finally {
        if (ending) await new Promise(() => undefined);
      }
    };

  return { own: holdIn(owned), run: holdIn(running), ending: ended.signal, end };
}
