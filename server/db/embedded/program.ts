import { spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import type { Account } from "./account.ts";

type ProgramResult = { status: number | null; output: string };

/**
 * The part of our environment that a PostgreSQL program may see. PG* variables would redirect it, and another account
 * must not see secrets such as SMTP_URL.
 */
export function programEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP"];
  const environment = Object.fromEntries(kept.map((name) => [name, process.env[name]]));
  return { ...environment, LC_ALL: "C", ...extra };
}

export function accountOptions(account: Account): Pick<SpawnOptions, "uid" | "gid"> {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/**
 * Runs a program to its end. If it cannot be started at all (missing, not allowed, no such account), the status is null
 * and the output is the system's reason.
 */
export async function runProgram(
  file: string,
  args: string[],
  options: { cwd: string; account: Account },
): Promise<ProgramResult> {
  try {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: programEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      ...accountOptions(options.account),
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    }
    const [status] = (await once(child, "close")) as [number | null];
    return { status, output: output.trim() };
  } catch (error) {
    return { status: null, output: (error as Error).message };
  }
}
