import pLimit from "p-limit";

/** Far longer than a statement of the engine takes, and short enough for an emergency to wait. */
const SILENT_MS = 1000;

/**
 * The first answer to a statement that may run twice. A connection can die without a word, and is only given up after
 * most of a minute, so after a second the statement is also sent over another one.
 */
export async function hedged<T>(ask: () => Promise<T>): Promise<T> {
  const first = ask();
  if (!(await isSilent(first))) return first;
  return Promise.any([first, ask()]).catch(({ errors }: AggregateError) =>
    Promise.reject(errors[0] as Error),
  );
}

/** Runs one at a time, as far as each answers: one that is silent no longer holds up the next. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  const turns = pLimit(1);
  return (work) =>
    new Promise((resolve, reject) => {
      void turns(async () => {
        const answer = work();
        answer.then(resolve, reject);
        await isSilent(answer);
      });
    });
}

/** Whether there is no answer for that long, neither a result nor an error. */
export function isSilent(answer: Promise<unknown>, forMs = SILENT_MS): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, forMs, true);
    const answered = () => {
      clearTimeout(timer);
      resolve(false);
    };
    answer.then(answered, answered);
  });
}
