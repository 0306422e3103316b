import { execFileSync } from "node:child_process";
import type { NetConnectOpts } from "node:net";
import { openProxy, type Line, type Proxy } from "./proxy.ts";

/**
 * A network of its own for a process, in which lines become slow or lose packets without either side hearing of it. What
 * was under way goes on when the line is repaired. Linux allows that to root.
 */
export type Network = {
  /** Of its namespace. */
  name: string;
  /** Of the machine outside. */
  address: string;
  /** A way to a server outside. */
  reach: (target: NetConnectOpts) => Promise<Proxy>;
  set: (line: Line) => void;
  close: () => void;
};

const NAME = `faults${process.pid}`;
const [OUTSIDE, INSIDE] = ["10.231.77.1", "10.231.77.2"];

/** Drops what is larger than a byte, which is everything. */
const NOTHING = "tbf rate 8kbit burst 1 latency 1ms";
const SLOW = "tbf rate 2mbit burst 16kb latency 400ms";

/** Undefined where the machine does not allow it. */
export function openNetwork(): Network | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const inside = ["ip", "netns", "exec", NAME];
  try {
    run(`ip netns add ${NAME}`);
    run(`ip link add ${NAME}o type veth peer name ${NAME}i netns ${NAME}`);
    run(`ip addr add ${OUTSIDE}/30 dev ${NAME}o`);
    run(`ip link set ${NAME}o up`);
    run(`${inside.join(" ")} ip addr add ${INSIDE}/30 dev ${NAME}i`);
    run(`${inside.join(" ")} ip link set ${NAME}i up`);
    shape("out", SLOW);
    shape("out", undefined);
  } catch {
    remove();
    return undefined;
  }

  /** What leaves the outside, or the inside, goes through this. */
  function shape(side: "out" | "in", how: string | undefined): void {
    const [where, device] = side === "out" ? ["", `${NAME}o`] : [`${inside.join(" ")} `, `${NAME}i`];
    run(`${where}tc qdisc ${how === undefined ? "del" : "replace"} dev ${device} root ${how ?? ""}`);
  }

  let current: Line = "open";
  const shaped: Record<Line, { out?: string; in?: string }> = {
    open: {},
    slow: { out: SLOW, in: SLOW },
    "no answers": { out: NOTHING },
    dead: { out: NOTHING, in: NOTHING },
  };
  return {
    name: NAME,
    address: OUTSIDE,
    reach: (target) => openProxy(target, OUTSIDE),
    set(line) {
      for (const side of ["out", "in"] as const) {
        const [was, will] = [shaped[current][side], shaped[line][side]];
        if (was !== will) shape(side, will);
      }
      current = line;
    },
    close: remove,
  };
}

function remove(): void {
  try {
    run(`ip netns del ${NAME}`);
  } catch {
    // It was never there.
  }
}

function run(command: string): void {
  const [program = "", ...given] = command.trim().split(/\s+/);
  execFileSync(program, given, { stdio: ["ignore", "ignore", "pipe"] });
}
