import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Cluster } from "./cluster.ts";

/** Between making the file and listening, a server needs far less, even on a machine that is short of breath. */
const startingMs = 10_000;

/**
 * The file by which PostgreSQL knows that a server has the cluster open (`postmaster.pid`). A server that was
 * killed leaves it behind, and PostgreSQL then looks for the process it names: rightly, unless that number belongs
 * to another process by now, as it often does after a reboot, or the file was left empty. Then it needs our help.
 */
export class LockFile {
  readonly #path: string;
  readonly #now: () => number;
  #content: string | undefined;
  #since = 0;

  constructor(cluster: Pick<Cluster, "path">, now: () => number = Date.now) {
    this.#path = join(cluster.path, "postmaster.pid");
    this.#now = now;
  }

  /**
   * To be asked while no server listens. Removes a file that has been empty for long: anyone who made it ended before
   * it opened anything.
   *
   * @returns the number of the process named by the file, if that is none of our servers
   */
  async staleHolder(): Promise<number | undefined> {
    const content = await readFile(this.#path, "utf8").catch(() => undefined);
    if (content !== this.#content) {
      this.#content = content;
      this.#since = this.#now();
    }
    if (content === undefined) return undefined;
    const old = this.#now() - this.#since > startingMs;
    if (content === "") {
      if (old) await rm(this.#path, { force: true });
      return undefined;
    }
    const pid = Number.parseInt(content, 10);
    return old || (await isOther(pid)) ? pid : undefined;
  }
}

/** Whether the process certainly is no PostgreSQL server; where the system does not tell, time has to. */
async function isOther(pid: number): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, name, state] = /\((.*)\) (\S)/s.exec(status) ?? [];
  return name !== "postgres" || state === "Z";
}
