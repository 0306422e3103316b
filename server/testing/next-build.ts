import { cp, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const thisBuild = join(import.meta.dirname, "../..");

export type Build = {
  /** Delete it when done. */
  folder: string;
  /** What `migrate` takes. */
  migrations: URL;
};

/**
 * What comes after this build: the same with more migrations, as SQL by file name. `whole`: with everything else that
 * makes it run, too.
 */
export async function nextBuild(
  added: Readonly<Record<string, string>>,
  { whole = false } = {},
): Promise<Build> {
  const folder = await mkdtemp(join(tmpdir(), "porchlight-build-"));
  const trees = whole ? ["contract", "server", "package.json"] : ["server/db/migrations"];
  for (const tree of trees) await cp(join(thisBuild, tree), join(folder, tree), { recursive: true });
  const linked = whole ? ["node_modules", "dist"] : [];
  for (const tree of linked) await symlink(join(thisBuild, tree), join(folder, tree));
  const migrations = join(folder, "server/db/migrations/");
  for (const [name, statements] of Object.entries(added)) await writeFile(join(migrations, name), statements);
  return { folder, migrations: pathToFileURL(migrations) };
}
