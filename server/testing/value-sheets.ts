import { sql } from "kysely";
import type { ValueRow, ValuesOverview } from "#contract/calls/values.ts";
import { findUnits } from "#server/places/find-units.ts";
import { type Caller, insertPerson, type NewPerson, type TestApp } from "#server/testing/app.ts";

/** Files with a value for each person, as the console uploads them. */

type Answer<T> = { status: number; body: T & { message: string } };

export const csv = (...lines: string[]): string => lines.join("\r\n");

export async function uploadSheet(
  { app }: TestApp,
  as: Caller,
  payload: Buffer | string,
  { name = "rent.csv", fields = "amount,due_date" } = {},
): Promise<Answer<ValuesOverview>> {
  const reply = await app.inject({
    method: "POST",
    url: `/api/values?name=${encodeURIComponent(name)}&fields=${fields}`,
    headers: { cookie: as.cookie, "content-type": "application/octet-stream" },
    payload,
  });
  return { status: reply.statusCode, body: reply.json() };
}

export async function askSheet<T>(
  porchlight: TestApp,
  as: Caller,
  method: "GET" | "PATCH" | "POST",
  path: string,
  body?: unknown,
): Promise<Answer<T>> {
  const request = { method, url: `/api/values/${path}`, ...(body !== undefined && { body }) };
  const reply = await porchlight.call(request, as);
  return { status: reply.statusCode, body: reply.json() };
}

export const rowsOfSheet = async (
  porchlight: TestApp,
  as: Caller,
  id: number,
  query = "",
): Promise<ValueRow[]> => (await askSheet<ValueRow[]>(porchlight, as, "GET", `${id}/rows?${query}`)).body;

export async function changeSheet(
  porchlight: TestApp,
  as: Caller,
  id: number,
  body: unknown,
): Promise<ValuesOverview> {
  return (await askSheet<ValuesOverview>(porchlight, as, "PATCH", String(id), body)).body;
}

/** "Ana Lee" with the username ana.lee and the address ana@example.com. */
export async function addLee(
  { db }: TestApp,
  firstName: string,
  more: Partial<NewPerson> = {},
): Promise<number> {
  const name = firstName.toLowerCase();
  return insertPerson(db, {
    username: `${name}.lee`,
    firstName,
    lastName: "Lee",
    email: `${name}@example.com`,
    ...more,
  });
}

export async function addHome({ db }: TestApp, property: string, unit: string): Promise<number> {
  return db
    .transaction()
    .execute(async (tx) => (await findUnits(tx, [{ property, unit }]))({ property, unit }).unitId);
}

export async function addResidency(
  { db }: TestApp,
  personId: number,
  unitId: number,
  role = "leaseholder",
): Promise<void> {
  await sql`INSERT INTO residencies (person_id, unit_id, role) VALUES (${personId}, ${unitId}, ${role})`.execute(
    db,
  );
}
