import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const thisBuild = join(import.meta.dirname, "../..");
/** Makes every start but the first take half the time. */
const compileCache = join(thisBuild, "node_modules/.cache/node-compile");

const PATIENCE_MS = 120_000;

export type FleetRole = "web" | "worker" | "scheduler";

/** One process of `server/main.ts`. */
export type Member = {
  role: FleetRole;
  process: ChildProcess;
  port: number;
  /** It was told to end, or killed: clients go elsewhere from now on. */
  leaving: boolean;
  /** How many requests it has not answered yet. */
  requests: number;
  exit: Promise<number | null>;
  /** What it has written so far. */
  said: () => string;
};

/** Starts a process and waits until it says that it is ready. `build`: the folder of another build. */
export async function startMember(
  role: FleetRole,
  environment: Record<string, string>,
  build = thisBuild,
): Promise<Member> {
  // Another program may take the port before the process does.
  for (let tries = 1; ; tries += 1) {
    const member = await startAt(await freePort(), role, environment, build);
    if (member.said().includes("Porchlight is ready")) return member;
    if (tries === 5 || !member.said().includes("is in use by another program"))
      throw new Error(`A ${role} did not start: ${member.said()}`);
  }
}

/** Resolves when it is ready or has ended. */
async function startAt(
  port: number,
  role: FleetRole,
  environment: Record<string, string>,
  build: string,
): Promise<Member> {
  const child = spawn(process.execPath, [join(build, "server/main.ts")], {
    cwd: "/",
    env: {
      PATH: process.env["PATH"],
      ...(build === thisBuild && { NODE_COMPILE_CACHE: compileCache }),
      ...environment,
      PORCHLIGHT_ROLES: role,
      PORT: String(port),
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  let ended = false;
  const exit = once(child, "close").then(([code]) => {
    ended = true;
    return code as number | null;
  });
  await waitUntil(`a ${role} is ready`, () => ended || said.includes("Porchlight is ready"));
  return { role, process: child, port, leaving: false, requests: 0, exit, said: () => said };
}

/** Not the tests' own: `npm run fleet` is no test. */
export async function waitUntil(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  for (const giveUp = Date.now() + PATIENCE_MS; !(await check()); await sleep(50)) {
    if (Date.now() > giveUp) throw new Error(`It took too long until ${what}.`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
