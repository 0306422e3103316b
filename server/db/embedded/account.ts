import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The numeric user and group a process runs as; undefined means "as this process". */
export type Account = { uid: number; gid: number } | undefined;

/**
 * The account that owns a cluster created by root. PostgreSQL refuses to run as root, and sharing `nobody` with other
 * daemons would let them read the data. The number is in the range that systemd and the distributions leave unassigned
 * (60706 to 61183), and below 65536 so that containers with mapped users know it.
 */
const unassigned = { uid: 60918, gid: 60918 };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Who runs the server of a data folder. A normal user: this process. Root: the folder's owner, so that a folder created
 * by a normal user stays usable by them; in a folder owned by root, the unassigned account.
 */
export async function serverAccount(dataDir: string): Promise<Account> {
  if (!isRoot()) return undefined;
  for (const folder of [join(dataDir, "postgresql"), dataDir]) {
    const owner = await stat(folder).catch(() => undefined);
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  return unassigned;
}

/**
 * Who runs `initdb`, which requires a user with a name. As root that is `nobody`, otherwise the first account with a
 * number above root's. The new files are then given to the server's account.
 * @returns undefined for a normal user, and for root on a system without any other account.
 */
export async function namedAccount(): Promise<Account> {
  if (!isRoot()) return undefined;
  const accounts = (await readFile("/etc/passwd", "utf8").catch(() => ""))
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
  const account = accounts.find(({ name }) => name === "nobody") ?? accounts[0];
  return account && { uid: account.uid, gid: account.gid };
}
