import { expect, test } from "vitest";
import { furtherColumns, missingColumns, recognizeColumns, withFurther } from "#contract/text/csv-header.ts";

/** Column names as property systems export them. The files are made up in their style. */
const files: Record<string, Record<string, string | null>> = {
  "a tenant list with one name column": {
    Property: null,
    Unit: "propertyUnit",
    Tags: null,
    Tenant: "fullName",
    "Tenant Phone Number": "phone",
    "Tenant Email": "email",
    Rent: null,
    "Property Name": "property",
    "Property Address": null,
    "Tenant Status": "status",
    "Tenant ID": null,
    "Unit ID": null,
  },
  "a resident list with a street and an apartment column": {
    "Unit Address": "property",
    "Unit Address Cont.": "propertyUnit",
    City: null,
    State: null,
    Zip: null,
    "First Name": "firstName",
    "Last Name": "lastName",
    Email: "email",
    "Mobile Phone #": "phone",
    "Home Phone #": "otherContacts",
    "Move-in Date": null,
  },
  "a list with a whole address": {
    Resident: "fullName",
    "Unit Address": "propertyUnit",
    "Primary Email": "email",
    "Home Phone": "phone",
  },
  "a rent roll with several residents in a row": {
    "Unit No.": "propertyUnit",
    "Resident 1": "fullName",
    "Resident 1 Email": "email",
    "Resident 2": "fullName 2",
    "Resident 2 Email": "email 2",
    "Resident 2 Phone": "phone 2",
    "Resident 3 Name": "fullName 3",
    Balance: null,
  },
  "tenants by number, first and last name apart": {
    UNIT_NUMBER: "propertyUnit",
    "Tenant First Name 1": "firstName",
    "Tenant Last Name 1": "lastName",
    "Tenant First Name 2": "firstName 2",
    "Tenant Last Name 2": "lastName 2",
    "Phone 2": "phone 2",
  },
  "a second phone number of one person": {
    FirstName: "firstName",
    LastName: "lastName",
    TenantPhone: "phone",
    TenantPhone2: "otherContacts",
    TenantPhone2Label: null,
  },
  "our own export": {
    username: "username",
    email: "email",
    firstName: "firstName",
    lastName: "lastName",
    phone: "phone",
    role: "role",
    propertyUnit: "propertyUnit",
  },
};

test.each(Object.entries(files))("%s is recognized", (_what, columns) => {
  const meanings = recognizeColumns(Object.keys(columns));
  expect(Object.fromEntries(Object.keys(columns).map((header, place) => [header, meanings[place]]))).toEqual(
    columns,
  );
  expect(missingColumns(meanings)).toBeNull();
});

test("if two columns have the same meaning, the better name wins in any order", () => {
  expect(recognizeColumns(["Home Phone", "Phone", "Cell"])).toEqual([
    "otherContacts",
    "otherContacts",
    "phone",
  ]);
  expect(recognizeColumns(["Email", "email"])).toEqual(["email", "otherContacts"]);
});

test("requires names, in one column or two", () => {
  expect(missingColumns(["firstName", "lastName"])).toBeNull();
  expect(missingColumns(["fullName"])).toBeNull();
  expect(missingColumns(["firstName", "email"])).toMatch(
    /^The column lastName is missing\. The first row must/,
  );
  expect(missingColumns([])).toMatch(/^The columns firstName and lastName are missing\./);
});

test.each([
  ["Home Phone #", "Home"],
  ["HomePhone", "Home"],
  ["WORK PHONE", "WORK"],
  ["Phone 2", ""],
  ["Fax", "Fax"],
  ["Emergency Contact Phone", "Emergency"],
  ["Work", "Work"],
])("%j beside the best column is a further one, called %j", (header, label) => {
  const headers = ["Name", "Mobile", header, "Rent"];
  const meanings = recognizeColumns(headers);
  expect(meanings).toEqual(["fullName", "phone", "otherContacts", null]);
  expect(furtherColumns(headers, meanings)).toEqual([{ place: 2, field: "phone", label }]);
});

test("a row's further numbers stand behind its own, and what is none is left out", () => {
  const work = { field: "phone", label: "Work" } as const;
  const further = [
    { field: "phone", label: "Home", text: "(312) 555-0100" },
    { ...work, text: "Landscaping 2019-2024" },
    { field: "phone", label: "", text: "Mobile: 312-555-0123" },
    { field: "phone", label: "Fax", text: "" },
  ] as const;
  expect(withFurther("312-555-0199", further)).toBe(
    "312-555-0199; Home: (312) 555-0100; Mobile: 312-555-0123",
  );
  expect(withFurther("", further.slice(0, 2))).toBe("Home: (312) 555-0100");
  expect(withFurther("n/a", further.slice(3))).toBe("n/a");
});
