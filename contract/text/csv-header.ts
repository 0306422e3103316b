import { contactsIn } from "#contract/text/contact-text.ts";

/** What browser and server know about a file's columns. Without schemas, so that the browser's worker stays small. */

/** The columns of an import and an export, in the specified order. */
export const csvColumns = [
  "username",
  "email",
  "firstName",
  "lastName",
  "phone",
  "role",
  "propertyUnit",
] as const;
export type CsvColumn = (typeof csvColumns)[number];

export const csvSentences = {
  required: "CSV data is required",
  format: "CSV format is invalid. Please check your data.",
} as const;

/** What a column can contain: one of our columns, a full name, a property without the unit, or who lives there. */
export const csvFields = [
  ...csvColumns,
  "fullName",
  "property",
  "status",
  "moveIn",
  "moveOut",
  "leaseStart",
  "leaseEnd",
  "homeRole",
  "otherContacts",
] as const;
export type CsvField = (typeof csvFields)[number];

/** When people live in their home. A column without a resident's number is everyone's who has no own one. */
export const dateFields = ["moveIn", "moveOut", "leaseStart", "leaseEnd"] as const;
const isOfHome = (field: CsvField) => field === "homeRole" || dateFields.some((one) => one === field);

/** Fields with a column per resident of the row. The others apply to all of them. */
export const residentFields = [
  "fullName",
  "firstName",
  "lastName",
  "email",
  "phone",
  "homeRole",
  ...dateFields,
] as const;

/** A detail that is kept of people, by its field. */
export type DetailColumn = `detail:${string}`;

/** What a column of a file holds. "email 2" is the email address of the second resident in each row. */
export type ColumnMeaning = CsvField | `${(typeof residentFields)[number]} ${number}` | DetailColumn;

/** The field of a column that holds a detail; null: it holds something else. */
export const detailIn = (meaning: ColumnMeaning | null): string | null =>
  meaning?.startsWith("detail:") ? meaning.slice("detail:".length) : null;

/** The meaning of a column about this resident, counting from 1. */
export function meaningOf(field: CsvField, resident: number): ColumnMeaning {
  const own = residentFields.find((one) => one === field);
  return own && resident > 1 ? `${own} ${resident}` : field;
}

/** Which resident of the row a column is about, counting from 1. */
export const residentOf = (meaning: ColumnMeaning) => Number(meaning.split(" ")[1] ?? 1);

// What property systems and our help page call the columns, in lowercase letters and digits only, best name first: a
// mobile number before a home number, a property's name before its address.
const names: Record<CsvField, readonly string[]> = {
  username: ["username", "user", "login", "loginname"],
  email: [
    "email",
    "emailaddress",
    "mail",
    "primaryemail",
    "emails",
    "personalemail",
    "homeemail",
    "workemail",
    "businessemail",
    "secondaryemail",
    "alternateemail",
    "otheremail",
  ],
  firstName: ["firstname", "first", "givenname", "forename"],
  lastName: ["lastname", "last", "surname", "familyname"],
  phone:
    "mobile mobilephone mobilenumber mobilephonenumber cell cellphone cellphonenumber phone phonenumber primaryphone telephone phonenumbers dayphone homephone homenumber eveningphone workphone worknumber officephone businessphone otherphone alternatephone secondaryphone".split(
      " ",
    ),
  role: ["role", "userrole"],
  propertyUnit:
    "propertyunit propertyandunit unit unitnumber unitno unitname apartment apartmentnumber apt aptnumber suite unitaddresscont unitaddress".split(
      " ",
    ),
  fullName: ["fullname", "name", "leaseholder"],
  otherContacts: ["othercontacts"],
  property: ["propertyname", "property", "building", "buildingname", "community"],
  status:
    "tenantstatus residentstatus occupancystatus residencystatus leasestatus status unitstatus occupancy".split(
      " ",
    ),
  moveIn:
    "movein moveindate movedin moveindt dateofmovein actualmovein actualmoveindate scheduledmovein expectedmovein expectedmoveindate residentsince tenantsince einzug einzugsdatum".split(
      " ",
    ),
  moveOut:
    "moveout moveoutdate movedout moveoutdt dateofmoveout actualmoveout actualmoveoutdate scheduledmoveout expectedmoveout expectedmoveoutdate vacateddate vacatedate datevacated auszug auszugsdatum".split(
      " ",
    ),
  homeRole:
    "relationship relation relationshiptohead relationshiptoheadofhousehold relationshiptolease roleinthehome homerole residencyrole householdrole leaserole occupanttype".split(
      " ",
    ),
  leaseStart:
    "leasestart leasestartdate leasestarts leasefrom leasebegin leasebegins leasebegindate leasefromdate startdate mietbeginn vertragsbeginn".split(
      " ",
    ),
  leaseEnd:
    "leaseend leaseenddate leaseends leaseto leasetodate leaseexpiration leaseexpirationdate leaseexpires leaseexpiry leaseexpire enddate expirationdate mietende vertragsende".split(
      " ",
    ),
};
const known = new Map(
  (Object.entries(names) as [CsvField, readonly string[]][]).flatMap(([field, list]) =>
    list.map((name, rank) => [name, { field, rank }] as const),
  ),
);

/** Columns of numbers that are never the phone to write to, or whose name may mean something else, too. */
const besides = new Set(
  "fax faxnumber emergencyphone emergencycontactphone emergencynumber home work office business evening".split(
    " ",
  ),
);

/** "Tenant", "Resident 2", "Primary Resident Email", "Occupant 3 Phone #", "First Name 2". */
const RESIDENT = /^(?:primary)?(resident|tenant|occupant|lessee|renter)?([1-9])?(.*?)([1-9])?$/;

/** "Co-Tenant", "Second Resident Email", "Roommate". */
const SECOND =
  /^(?:co|second|secondary|additional)(?=resident|tenant|occupant|lessee|renter)|^(?:roommate|spouse)(?=s?$|name|email|phone|mobile|cell)/;

const plain = (header: string) => header.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

function readHeader(header: string, all: ReadonlySet<string>) {
  const name = plain(header);
  // Propertyware has the street in one column and the apartment in the next.
  if (name === "unitaddress" && all.has("unitaddresscont"))
    return { field: "property", rank: 9, resident: 1 } as const;
  const direct = known.get(name);
  if (direct) return { ...direct, resident: 1 };
  const second = SECOND.test(name);
  const [, noun, before, rest = "", after] =
    RESIDENT.exec(
      second
        ? name.replace(SECOND, "").replace(/^(?!resident|tenant|occupant|lessee|renter)/, "resident")
        : name,
    ) ?? [];
  const resident = Number(before ?? after ?? (second ? 2 : 1));
  if (noun && (rest === "" || rest === "s")) return { field: "fullName", rank: -1, resident } as const;
  const found = known.get(rest);
  return found && { ...found, resident };
}

/** Whether we recognize a header, ignoring case, spaces and punctuation. */
export const isKnownHeader = (header: string) => readHeader(header, new Set()) !== undefined;

/** Whether a column of this header can't be a detail's. Those about the time in a home give way to a detail of their name. */
export function isTakenHeader(header: string): boolean {
  const found = readHeader(header, new Set());
  return found !== undefined && !isOfHome(found.field);
}

/** What kind of address a column has, by its header; null: none. */
function addressIn(header: string): "email" | "phone" | null {
  if (besides.has(plain(header))) return "phone";
  const field = readHeader(header, new Set())?.field;
  return field === "email" || field === "phone" ? field : null;
}

/** A column of numbers or addresses beside the one that messages go to. */
export type FurtherColumn = { place: number; field: "email" | "phone"; label: string };

/** The columns whose numbers or addresses count if the best column of a row has none, and are kept otherwise. */
export function furtherColumns(
  headers: readonly string[],
  meanings: readonly (ColumnMeaning | null)[],
): FurtherColumn[] {
  return headers.flatMap((header, place) => {
    const field = meanings[place] === "otherContacts" ? addressIn(header) : null;
    return field ? [{ place, field, label: labelOf(header) }] : [];
  });
}

/** "Home" of "Home Phone #" and "HomePhone"; empty for "Phone 2". */
const labelOf = (header: string) =>
  header
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})|[_\d#.]+/gu, " ")
    .replaceAll(/\b(?:phones?|telephone|numbers?|no|e-?mails?|address|resident|tenant|contact)\b/giu, " ")
    .replaceAll(/[^\p{L}\s-]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 30);

/** A row's numbers or addresses in one cell, the best column's first: "(312) 555-0199; Home: (312) 555-0100". */
export function withFurther(
  own: string,
  further: readonly { field: "email" | "phone"; label: string; text: string }[],
): string {
  const others = further.filter(({ field, label, text }) =>
    field === "email"
      ? text.includes("@")
      : text.replaceAll(/\D/g, "").length >= 7 && (!besides.has(plain(label)) || !/\p{L}{4}/u.test(text)),
  );
  if (others.length === 0) return own;
  const labelled = others.map(({ label, text }) => {
    const [one, another] = contactsIn(text);
    return label === "" || another || one?.label ? text : `${label}: ${text}`;
  });
  return [own, ...labelled].filter((text) => text !== "").join("; ");
}

/**
 * What each column contains, by its header; null if it is unknown, or if another column is the better one. Several may
 * hold other contacts. A detail's column has its name or its field. `dates`: those about the time in a home are recognized, too. Pasted
 * rows don't have them.
 */
export function recognizeColumns(
  headers: readonly string[],
  details: readonly { label: string; field: string }[] = [],
  { dates = false } = {},
): (ColumnMeaning | null)[] {
  const all = new Set(headers.map(plain));
  const best = new Map<ColumnMeaning, { place: number; rank: number }>();
  const ofDetails = new Set(details.flatMap(({ label, field }) => [plain(label), plain(field)]));
  for (const [place, header] of headers.entries()) {
    const found = readHeader(header, all);
    // A detail called "Lease to" is meant by its own name.
    if (!found || (isOfHome(found.field) && (!dates || ofDetails.has(plain(header))))) continue;
    const meaning = meaningOf(found.field, found.resident);
    if (found.rank < (best.get(meaning)?.rank ?? Infinity)) best.set(meaning, { place, rank: found.rank });
  }
  const meanings = headers.map((): ColumnMeaning | null => null);
  for (const [meaning, { place }] of best) {
    // With only one name in the row, "Phone 2" is another number of the same person.
    const n = residentOf(meaning);
    const named = (["fullName", "firstName", "lastName"] as const).some((name) =>
      best.has(meaningOf(name, n)),
    );
    if (n === 1 || named) meanings[place] = meaning;
  }
  for (const [place, header] of headers.entries()) {
    if (meanings[place] === null && (addressIn(header) ?? plain(header) === "othercontacts"))
      meanings[place] = "otherContacts";
  }
  for (const { label, field } of details) {
    const named = (name: string) => headers.findIndex((header) => plain(header) === plain(name));
    const place = [named(label), named(field)].find((one) => one !== -1 && meanings[one] === null);
    if (place !== undefined && plain(headers[place] ?? "") !== "") meanings[place] = `detail:${field}`;
  }
  return meanings;
}

/** Why nothing can be imported from these columns; null if it can. */
export function missingColumns(meanings: Iterable<ColumnMeaning | null>): string | null {
  const present = new Set(meanings);
  if (present.has("fullName")) return null;
  const missing = (["firstName", "lastName"] as const).filter((name) => !present.has(name));
  if (missing.length === 0) return null;
  const which =
    missing.length === 1
      ? `The column ${missing[0]} is missing.`
      : "The columns firstName and lastName are missing.";
  return `${which} The first row must contain the column names: ${csvColumns.join(",")}`;
}
