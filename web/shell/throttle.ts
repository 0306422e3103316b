export type Throttled = {
  /** Something has changed: now, if it has been quiet, else when the pause is over. */
  nudge: () => void;
  stop: () => void;
};

type Options = {
  /** Milliseconds from the end of one piece of work to the next. */
  pause: number;
  /** Work that takes longer than this many milliseconds does not hold up the next. */
  patience: number;
  /** No one looks: what was nudged meanwhile is done at the next nudge when someone does. */
  hidden: () => boolean;
};

/** Does `work` as often as it is nudged, but with a pause between, and at least once after the last nudge. */
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
    nudge() {
      wanted = true;
      go();
    },
    stop() {
      wanted = false;
      clearTimeout(timer);
    },
  };
}
