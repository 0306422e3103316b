import { AppError } from "#contract/errors.ts";

/** Does `work` when its turn comes. Who has `gone` before that leaves the queue, and nothing is done. */
export type Turns = <Result>(work: () => Promise<Result>, gone: AbortSignal) => Promise<Result>;

/** Lets no more than `most` do something at the same time; the others wait, first come, first served. */
export function turns(most: number): Turns {
  let free = most;
  const queue = new Set<() => void>();

  const myTurn = (gone: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        gone.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        queue.delete(begin);
        // Nobody reads it; as a refusal it is no fault that would be logged.
        reject(new AppError("conflict", "The caller has gone"));
      };
      queue.add(begin);
      gone.addEventListener("abort", leave, { once: true });
      if (gone.aborted) leave();
    });

  return async (work, gone) => {
    if (free > 0) free -= 1;
    else await myTurn(gone);
    try {
      return await work();
    } finally {
      const [next] = queue;
      if (next) {
        queue.delete(next);
        next();
      } else free += 1;
    }
  };
}
