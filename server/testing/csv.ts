import type { ImportResult } from "#contract/calls/csv.ts";
import type { UsersTable } from "#server/db/schema.ts";
import type { Caller, TestApp } from "#server/testing/app.ts";
import type { Selectable } from "kysely";

export type Cells = Record<string, unknown>;

/** Imports rows over HTTP and answers the status and what was said. */
export async function importCsv(
  porchlight: TestApp,
  as: Caller | null,
  rows: unknown,
  { path = "/api/csv/import", query = "" } = {},
): Promise<{ status: number; result: ImportResult; message: string }> {
  const reply = await porchlight.call({ method: "POST", url: path + query, body: rows }, as);
  const result = reply.json<ImportResult & { message: string }>();
  return { status: reply.statusCode, result, message: result.message };
}

/** A good row, with something else where something else is said. */
export function row(cells: Cells = {}): Cells {
  return {
    username: "maria.lopez",
    email: "maria@example.com",
    firstName: "Maria",
    lastName: "Lopez",
    phone: "(415) 555-0123",
    role: "tenant",
    propertyUnit: "Maple Court 4B",
    ...cells,
  };
}

export async function personOf(
  { db }: TestApp,
  username: string,
): Promise<Selectable<UsersTable> | undefined> {
  return db
    .selectFrom("users")
    .selectAll()
    .where("username", "=", username)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}
