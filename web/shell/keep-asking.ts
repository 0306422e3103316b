import { useEffect } from "react";
import { reachability } from "#web/api/reachability.ts";
import { recheckSession } from "#web/api/session.ts";

const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 30_000;

type AskingPorts = {
  reachability: Pick<typeof reachability, "get" | "subscribe">;
  /** Sends one request to the server. `reachability` learns from the reply. */
  ask: () => Promise<unknown>;
  /** Runs `work` after this many milliseconds. Returns a function that cancels it. */
  after: (milliseconds: number, work: () => void) => () => void;
};

/** Polls the server while it cannot be reached, with growing pauses. Returns a function that stops it. */
export function keepAsking({ reachability: reached, ask, after }: AskingPorts): () => void {
  let wait = FIRST_WAIT;
  let cancelTimer: (() => void) | undefined;
  let stopped = false;

  const plan = () => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (stopped || reached.get()) {
      wait = FIRST_WAIT;
      return;
    }
    cancelTimer = after(wait, () => void go());
    wait = Math.min(wait * 2, LONGEST_WAIT);
  };
  const go = async () => {
    await ask();
    plan();
  };

  const unwatch = reached.subscribe(plan);
  plan();
  return () => {
    stopped = true;
    unwatch();
    cancelTimer?.();
  };
}

/** Polls whether or not anyone is signed in, so no one has to reload the page when the server is back. */
export function useKeepAsking() {
  useEffect(() => {
    const stop = keepAsking({
      reachability,
      ask: recheckSession,
      after(milliseconds, work) {
        const timer = setTimeout(work, milliseconds);
        return () => clearTimeout(timer);
      },
    });
    // The browser's network state says nothing about a server on this computer. Only a reply does.
    const ask = () => void recheckSession();
    addEventListener("offline", ask);
    addEventListener("online", ask);
    return () => {
      stop();
      removeEventListener("offline", ask);
      removeEventListener("online", ask);
    };
  }, []);
}
