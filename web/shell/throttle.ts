type Throttled = {
  /** Requests the work: right away, or when the current pause is over. */
  trigger: () => void;
  stop: () => void;
};

type Options = {
  /** Milliseconds between the end of the work and its next start. */
  pause: number;
  /** Work that takes longer than this many milliseconds does not delay the next start. */
  patience: number;
  /** True while no one is looking. Work requested meanwhile is done at the next request after that. */
  hidden: () => boolean;
};

/** Does `work` on every request, but with a pause in between, and at least once after the last request. */
export function throttle(work: () => Promise<unknown>, { pause, patience, hidden }: Options): Throttled {
  let wanted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const rest = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      go();
    }, milliseconds);
  };

  const go = () => {
    if (!wanted || timer !== undefined || hidden()) return;
    wanted = false;
    rest(patience);
    const started = timer;
    const done = () => {
      if (timer === started && timer !== undefined) rest(pause);
    };
    work().then(done, done);
  };

  return {
    trigger() {
      wanted = true;
      go();
    },
    stop() {
      wanted = false;
      clearTimeout(timer);
    },
  };
}
