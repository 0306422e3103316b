import { useEffect } from "react";
import { reachability } from "#web/api/client.ts";
import { recheckSession } from "#web/api/session.ts";

const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 30_000;

export type AskingPorts = {
  reachability: Pick<typeof reachability, "get" | "subscribe">;
  /** Puts one question to the server, from whose answer `reachability` knows. */
  ask: () => Promise<unknown>;
  /** Runs `work` in so many milliseconds; answers how to call it off. */
  after: (milliseconds: number, work: () => void) => () => void;
};

/** Asks the server again and again for as long as it cannot be reached, after growing pauses. Answers how to stop. */
export function keepAsking({ reachability: reached, ask, after }: AskingPorts): () => void {
  let wait = FIRST_WAIT;
  let callOff: (() => void) | undefined;
  let stopped = false;

  const plan = () => {
    callOff?.();
    callOff = undefined;
    if (stopped || reached.get()) {
      wait = FIRST_WAIT;
      return;
    }
    callOff = after(wait, () => void go());
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
    callOff?.();
  };
}

/** The page asks on its own, no matter who is signed in, so no one has to reload it when the server is back. */
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
    // What the browser says of its network says nothing of a server on this computer: only its answer does.
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
