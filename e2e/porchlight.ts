import { spawn, type ChildProcess } from "node:child_process";
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
  /** Everything it has printed and logged since the first start. */
  output: () => string;
  /** Starts it again after `kill` or `stop`, at the same address with the same data. */
  start: () => Promise<void>;
  /** SIGKILL, like a power failure. */
  kill: () => Promise<void>;
  /** SIGTERM. Throws if the exit code is not 0. */
  stop: () => Promise<void>;
};

/** How long to wait until a page has noticed that the server is back. It asks at most every 30 seconds. */
export const reconnecting = { timeout: 90_000 };

/** Runs the product like a person does: one `node server/main.ts` process, configured only by its environment. */
export async function startPorchlight(settings: Record<string, string>): Promise<Porchlight> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const output: string[] = [];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    // Settings of the surrounding environment must not reach the server under test.
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

  // A test worker that exits early must not leave a server behind.
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
 * A port that will still be free when the server restarts. Systems assign ports from 32768 or 49152 up to outgoing
 * connections, so a port up there might be taken while the server is down.
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
