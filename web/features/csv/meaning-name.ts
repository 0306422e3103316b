import { type ColumnMeaning, type CsvField, detailIn, residentOf } from "#contract/text/csv-header.ts";
import { personDetails } from "#contract/text/kept-details.ts";

const names: Record<CsvField, string> = {
  username: "Username",
  email: "Email",
  firstName: "First name",
  lastName: "Last name",
  phone: "Phone",
  role: "Role",
  propertyUnit: "Property/Unit",
  fullName: "Full name",
  property: "Property only",
  status: "Status",
  moveIn: "Move-in date",
  moveOut: "Move-out date",
  leaseStart: "Lease start",
  leaseEnd: "Lease end",
  homeRole: "Role in the home",
  otherContacts: "Other contacts",
};
/** What a column can hold, as people choose it: "Email, resident 2". */
export function meaningName(meaning: ColumnMeaning): string {
  const detail = detailIn(meaning);
  if (detail !== null) return personDetails().find(({ field }) => field === detail)?.label ?? detail;
  const name = names[meaning.split(" ")[0] as CsvField];
  return residentOf(meaning) > 1 ? `${name}, resident ${residentOf(meaning)}` : name;
}
