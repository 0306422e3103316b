import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Skipped } from "./fault.ts";

/** A small file system in memory that can be filled to the last byte. */
export type Disk = { path: string; fill: () => Promise<void>; free: () => void; remove: () => void };

/** @throws {Skipped} only root may mount one, on Linux */
export function mountDisk(megabytes: number): Disk {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    throw new Skipped("Only root can mount a small disk.");
  const path = mkdtempSync(join(tmpdir(), "porchlight-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=711`, "none", path], {
      stdio: "ignore",
    });
  } catch {
    rmSync(path, { recursive: true });
    throw new Skipped("This machine mounts no disks.");
  }
  const ballast = join(path, "ballast");
  return {
    path,
    async fill() {
      const file = await open(ballast, "w");
      try {
        for (const size of [2 ** 20, 2 ** 12]) await writeAll(file, Buffer.alloc(size));
      } finally {
        await file.close();
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync("umount", ["--lazy", path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** Until nothing fits anymore. It takes turns with the provider in this process, which has to answer in time. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  try {
    while ((await file.write(bytes)).bytesWritten === bytes.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
