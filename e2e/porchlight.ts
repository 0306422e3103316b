import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../server/main.ts", import.meta.url));
/** Makes every start but the first take half the time. */
const compileCache = fileURLToPath(new URL("../node_modules/.cache/node-compile", import.meta.url));

export type Porchlight = {
  /** http://127.0.0.1:…, the same after every restart. */
  url: string;
  /** What it said and logged since the first start. */
  output: () => string;
  /** Starts it again after `kill` or `stop`, at the same address with the same data. */
  start: () => Promise<void>;
  /** As a power cut would: no farewell. */
  kill: () => Promise<void>;
  /** SIGTERM; throws when it does not end with 0. */
  stop: () => Promise<void>;
};

/** For what waits until a page has noticed that the server is back: it asks every 30 seconds at most. */
export const reconnecting = { timeout: 90_000 };

/** The product as a person starts it: one process of `node server/main.ts`, set up by its environment alone. */
export async function startPorchlight(settings: Record<string, string>): Promise<Porchlight> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const output: string[] = [];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    // Nothing of the outer environment's own settings may reach the product under test.
    const started = spawn(process.execPath, [main], {
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        TMPDIR: process.env["TMPDIR"],
        NODE_COMPILE_CACHE: compileCache,
        PORT: String(port),
        ...settings,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    const ready = Promise.withResolvers<void>();
    started.stderr.setEncoding("utf8").on("data", (text: string) => output.push(text));
    createInterface(started.stdout).on("line", (line) => {
      output.push(`${line}\n`);
      if (line === `Porchlight is ready at ${url}`) ready.resolve();
    });
    started.once("exit", (code) =>
      ready.reject(new Error(`Porchlight ended with ${code}:\n${output.join("")}`)),
    );
    await ready.promise;
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return 0;
    const exit = once(ending, "exit") as Promise<[number | null]>;
    ending.kill(signal);
    return (await exit)[0];
  }

  // A worker that gives up in a hurry leaves no server behind.
  process.once("exit", () => child?.kill("SIGKILL"));
  await start();
  return {
    url,
    output: () => output.join(""),
    start,
    async kill() {
      await end("SIGKILL");
    },
    async stop() {
      const code = await end("SIGTERM");
      if (code !== 0) throw new Error(`Porchlight ended with ${code}:\n${output.join("")}`);
    },
  };
}

/**
 * A port that is still free when the server comes back to it: systems take the local end of a connection from 32768
 * or 49152 up, and so could take away from there what is free while the server is down.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false;
    throw error;
  }
  server.close();
  await once(server, "close");
  return true;
}
