import { waitingOf, type Round } from "#web/features/outbox/deliver.ts";
import type { Outbox } from "#web/features/outbox/outbox.ts";

const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 5 * 60_000;

/** The pause before attempt number `tries` (from 1), in milliseconds, varied by a quarter to spread the load. */
export function waitBefore(tries: number, random: () => number): number {
  const wait = Math.min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT);
  return Math.round(wait * (0.75 + random() / 2));
}

type SendingPorts = {
  outbox: Pick<Outbox, "entries" | "subscribe">;
  userId: number;
  /** Makes one delivery round; undefined if another tab is doing so. */
  round: () => Promise<Round | undefined>;
  /** Calls back whenever the server may be reachable again. Returns a function that stops listening. */
  onRetrySignal: (again: () => void) => () => void;
  /** Runs `work` after this many milliseconds. Returns a function that cancels it. */
  after: (milliseconds: number, work: () => void) => () => void;
  random: () => number;
  onRound: (round: Round) => void;
};

/**
 * Delivers what waits: now, whenever the server may be back, and after growing pauses. Returns a function that
 * stops it.
 */
export function startSending(ports: SendingPorts): () => void {
  const { outbox, userId } = ports;
  let tries = 0;
  let busy = false;
  let stopped = false;
  let cancelTimer: (() => void) | undefined;

  const plan = () => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (stopped || busy || waitingOf(outbox, userId).length === 0) return;
    tries += 1;
    cancelTimer = ports.after(waitBefore(tries, ports.random), () => void go());
  };

  const go = async () => {
    if (stopped || busy || waitingOf(outbox, userId).length === 0) return;
    cancelTimer?.();
    busy = true;
    try {
      const round = await ports.round();
      if (round && round.delivered.length > 0) tries = 0;
      if (round && !stopped) ports.onRound(round);
    } finally {
      busy = false;
      plan();
    }
  };

  const stopListening = ports.onRetrySignal(() => {
    tries = 0;
    void go();
  });
  // An entry that was just added has just failed, so it waits. Older entries are tried at once.
  const unwatch = outbox.subscribe(() => {
    if (!cancelTimer) plan();
  });
  void go();

  return () => {
    stopped = true;
    cancelTimer?.();
    stopListening();
    unwatch();
  };
}
