import { waitingOf } from "#web/features/outbox/deliver.ts";
import type { Round } from "#web/features/outbox/deliver.ts";
import type { Outbox } from "#web/features/outbox/outbox.ts";

const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 5 * 60_000;

/** Milliseconds before try number `tries` (from 1), spread by a quarter so that tabs and people do not meet. */
export function waitBefore(tries: number, random: () => number): number {
  const wait = Math.min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT);
  return Math.round(wait * (0.75 + random() / 2));
}

export type CourierPorts = {
  outbox: Outbox;
  userId: number;
  /** Makes one round; undefined when another tab is at it. */
  round: () => Promise<Round | undefined>;
  /** Calls back whenever the server may have come into reach again; answers how to stop listening. */
  onRetrySignal: (again: () => void) => () => void;
  /** Runs `work` in so many milliseconds; answers how to call it off. */
  after: (milliseconds: number, work: () => void) => () => void;
  random: () => number;
  onRound: (round: Round) => void;
};

/** Delivers what waits: now, at every sign of the server's return, and after growing pauses. Answers how to stop. */
export function startCourier(ports: CourierPorts): () => void {
  const { outbox, userId } = ports;
  let tries = 0;
  let busy = false;
  let stopped = false;
  let callOff: (() => void) | undefined;

  const plan = () => {
    callOff?.();
    callOff = undefined;
    if (stopped || busy || waitingOf(outbox, userId).length === 0) return;
    tries += 1;
    callOff = ports.after(waitBefore(tries, ports.random), () => void go());
  };

  const go = async () => {
    if (stopped || busy || waitingOf(outbox, userId).length === 0) return;
    callOff?.();
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
  // What has just been kept has just failed: it waits its turn. What was already here is tried at once.
  const unwatch = outbox.subscribe(() => {
    if (!callOff) plan();
  });
  void go();

  return () => {
    stopped = true;
    callOff?.();
    stopListening();
    unwatch();
  };
}
