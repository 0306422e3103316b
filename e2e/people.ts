import { randomBytes, randomInt } from "node:crypto";
import { csv } from "#contract/calls/csv.ts";
import { groups } from "#contract/calls/groups.ts";
import { users } from "#contract/calls/users.ts";
import type { Caller } from "./caller.ts";

export type Tenant = {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  propertyUnit: string;
};

/** A property that only one test uses. The group of the same name contains its tenants and no one else. */
export type Property = {
  name: string;
  /** How API calls name this recipient. */
  group: { type: "group"; id: number };
  tenants: Tenant[];
};

/** Random letters, so that tests can share a server. */
export function token(): string {
  return Array.from(randomBytes(6), (byte) => String.fromCodePoint(97 + (byte % 26))).join("");
}

/** Creates tenants in a new property. Missing details are made up; "" means that there is none. */
export async function moveIn(call: Caller, given: Partial<Tenant>[]): Promise<Property> {
  const mark = token();
  const name = `Court ${mark}`;
  // What one test's people opt out of belongs to their number, so no one else has it.
  const block = 2_000_000 + 100 * randomInt(79_000);
  const rows = given.map((tenant, place) => {
    const lastName = `${lastNames[place % lastNames.length]}-${mark}`;
    const firstName = firstNames[place % firstNames.length] ?? "";
    return {
      username: `${firstName}.${place}.${mark}`.toLowerCase(),
      firstName,
      lastName,
      email: `${firstName}.${place}.${mark}@example.com`.toLowerCase(),
      phone: `+1555${block + place}`,
      propertyUnit: `${name}, Unit ${place + 1}A`,
      ...tenant,
    };
  });
  await call(csv.import, { body: rows });
  const found = await call(users.list, { query: { q: mark, pageSize: 100 } });
  const group = (await call(groups.list, { query: { q: name } }))[0];
  if (!group || found.length !== given.length) throw new Error(`${name} has ${found.length} tenants`);
  return {
    name,
    group: { type: "group", id: group.id },
    tenants: rows.map((row) => ({
      ...row,
      id: found.find(({ username }) => username === row.username)?.id ?? 0,
    })),
  };
}

const firstNames = ["Mei", "Luis", "Dana", "Omar", "Priya", "Jonas", "Aiko", "Ruth"];
const lastNames = ["Tanaka", "Ortega", "Whitfield", "Haddad", "Raman", "Berg", "Mori", "Abrams"];
