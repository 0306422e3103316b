import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from "node:net";

/** What becomes of bytes: they arrive, arrive late, or vanish without anyone hearing of it. */
export type Line = "open" | "slow" | "no answers" | "dead";

const SLOW_MS = 100;

/** A line to a server that can become slow or die without a word. */
export type Proxy = {
  port: number;
  line: Line;
  /** Those that whoever opened them has not closed. */
  connections: () => ReadonlySet<Socket>;
  /** The connection over which the next question comes. Nothing passes it anymore. */
  silenceNext: () => Promise<Socket>;
  /** The line is open again; what was connected before is cut. */
  repair: () => void;
  close: () => Promise<void>;
};

export async function openProxy(target: NetConnectOpts, address = "127.0.0.1"): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const connections = new Set<Socket>();
  const silent = new Set<Socket>();
  let silence: ((near: Socket) => void) | undefined;
  const pass = (from: Socket, to: Socket, direction: "question" | "answer") => {
    const isLost = () =>
      silent.has(direction === "question" ? from : to) ||
      proxy.line === "dead" ||
      (proxy.line === "no answers" && direction === "answer");
    from.on("data", (bytes) => {
      if (direction === "question" && silence) {
        silent.add(from);
        silence(from);
        silence = undefined;
      }
      if (isLost()) return;
      // Timers of the same length end in order.
      if (proxy.line === "slow") setTimeout(() => to.write(bytes), SLOW_MS);
      else to.write(bytes);
    });
    from.on("error", () => undefined);
    from.on("close", () => {
      sockets.delete(from);
      // An end is lost like a byte.
      if (!isLost()) setTimeout(() => to.destroy(), proxy.line === "slow" ? SLOW_MS : 0);
    });
    sockets.add(from);
  };
  const server = createServer((near) => {
    const far = connect(target);
    connections.add(near);
    near.on("close", () => connections.delete(near));
    pass(near, far, "question");
    pass(far, near, "answer");
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const proxy: Proxy = {
    port: (server.address() as AddressInfo).port,
    line: "open",
    connections: () => connections,
    silenceNext: () => new Promise((resolve) => (silence = resolve)),
    repair() {
      cut();
      proxy.line = "open";
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
  return proxy;
}
