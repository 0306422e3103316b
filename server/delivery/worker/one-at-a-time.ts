type OneAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A way to run pieces of work in the order in which they come, each once the one before it has ended or failed. */
export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
