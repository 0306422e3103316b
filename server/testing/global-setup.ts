import type { TestProject } from "vitest/node";
import { startDatabaseServer } from "./database-server.ts";

/** The database server of a run, for `testDatabase`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, template, stop } = await startDatabaseServer();
  project.provide("postgresServer", url);
  project.provide("postgresTemplate", template);
  return stop;
}
