import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Cluster } from "./cluster.ts";

/** Far longer than a server needs between creating the file and listening, even on a busy machine. */
const startingMs = 10_000;

/**
 * PostgreSQL's lock file, which says that a server has the cluster open (`postmaster.pid`). A killed server leaves it
 * behind, and PostgreSQL then checks for the process it names. That goes wrong if the number belongs to another process
 * by now, as it often does after a reboot, or if the file is empty. Then PostgreSQL needs our help.
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
   * Call it while no server is listening. Removes a file that has been empty for a while, because its process ended
   * before it opened anything.
   *
   * @returns the process number in the file, if that process is not one of our servers
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

/** Whether the process is certainly not a PostgreSQL server. Where the system cannot tell, we wait instead. */
async function isOther(pid: number): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, name, state] = /\((.*)\) (\S)/s.exec(status) ?? [];
  return name !== "postgres" || state === "Z";
}
