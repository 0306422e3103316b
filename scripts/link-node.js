// npm 9 links no executable that is called node, but the scripts in package.json need the packaged Node.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const modules = new URL("../node_modules/", import.meta.url);
const link = new URL(".bin/node", modules);
const packaged = readdirSync(modules).find((name) => /^node-(bin-)?(linux|darwin)-(x64|arm64)$/.test(name));
if (packaged) {
  if (!existsSync(link)) symlinkSync(`../${packaged}/bin/node`, link);
  const { status, stderr } = spawnSync(fileURLToPath(link), ["--version"], { encoding: "utf8" });
  if (status !== 0) {
    const fix = stderr?.includes("libatomic") ? " On Debian and Ubuntu, run: apt-get install libatomic1" : "";
    console.error(`The packaged Node cannot run here: ${stderr?.trim()}${fix}`);
    process.exitCode = 1;
  }
}
