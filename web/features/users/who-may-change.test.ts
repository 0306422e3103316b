import { expect, test } from "vitest";
import { changeRefusal, deleteRefusal, roleLimit } from "#web/features/users/who-may-change.ts";

const admin = { id: 1, role: "admin" } as const;
const other = { id: 2, role: "admin" } as const;
const staff = { id: 3, role: "staff" } as const;
const tenant = { id: 4, role: "tenant" } as const;

test("administrators can change everyone and delete everyone else", () => {
  for (const person of [admin, other, staff, tenant]) expect(changeRefusal(admin, person)).toBeUndefined();
  for (const person of [other, staff, tenant]) expect(deleteRefusal(admin, person)).toBeUndefined();
  expect(deleteRefusal(admin, admin)).toMatch(/your own account/);
});

test("staff can't change administrators", () => {
  expect(changeRefusal(staff, admin)).toMatch(/Only an administrator/);
  expect(deleteRefusal(staff, admin)).toMatch(/Only an administrator/);
  expect(changeRefusal(staff, tenant)).toBeUndefined();
  expect(deleteRefusal(staff, tenant)).toBeUndefined();
  expect(deleteRefusal(staff, staff)).toMatch(/your own account/);
});

test("no one can change their own role, and staff can't make administrators", () => {
  expect(roleLimit(admin, admin)).toMatch(/your own role/);
  expect(roleLimit(staff, staff)).toMatch(/your own role/);
  expect(roleLimit(staff, undefined)).toMatch(/Only an administrator/);
  expect(roleLimit(admin, undefined)).toBeUndefined();
  expect(roleLimit(admin, other)).toBeUndefined();
});
