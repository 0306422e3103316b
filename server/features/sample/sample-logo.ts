import { readFileSync } from "node:fs";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { currentLogo, keepLogo } from "#server/features/settings/logo.ts";
import { writeSettings } from "#server/features/settings/queries.ts";

const image = readFileSync(new URL("./logo.png", import.meta.url)).toString("base64");
const logo = `data:image/png;base64,${image}`;

/** Gives the sample property a logo, unless someone has uploaded one. */
export async function addSampleLogo(tx: Db, userId: number): Promise<void> {
  if ((await currentLogo(tx)) !== null) return;
  await writeSettings(tx, { companyLogo: logo }, userId);
  await keepLogo(tx, logo);
}

/** Takes it away again, unless it was replaced. */
export async function removeSampleLogo(tx: Db): Promise<void> {
  await sql`DELETE FROM settings WHERE key = 'companyLogo' AND value = ${logo}`.execute(tx);
  await sql`DELETE FROM logos WHERE image = ${logo}`.execute(tx);
}
