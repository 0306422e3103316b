// npm 9 links no executable that is called node, but the scripts in package.json need the packaged Node.
import { existsSync, readdirSync, symlinkSync } from "node:fs";

const modules = new URL("../node_modules/", import.meta.url);
const link = new URL(".bin/node", modules);
const packaged = readdirSync(modules).find((name) => /^node-(bin-)?(linux|darwin)-(x64|arm64)$/.test(name));
if (packaged && !existsSync(link)) symlinkSync(`../${packaged}/bin/node`, link);
