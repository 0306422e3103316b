/** What browser and server both know of a file. Free of schemas, so that a browser's worker stays small. */

/** The columns of an import and an export, in their written order. */
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

/** What a column of a file can mean: one of ours, or a property that has a column apart from its units. */
export type ColumnMeaning = CsvColumn | "property";

const requiredColumns = ["firstName", "lastName"] as const satisfies CsvColumn[];

/** The names that other programs and our own help page give the columns, in small letters without spaces. */
const names: Record<ColumnMeaning, readonly string[]> = {
  username: ["username", "user", "login", "loginname"],
  email: ["email", "emailaddress", "mail"],
  firstName: ["firstname", "first", "givenname", "forename"],
  lastName: ["lastname", "last", "surname", "familyname"],
  phone: ["phone", "phonenumber", "mobile", "mobilephone", "mobilenumber", "cell", "cellphone", "telephone"],
  role: ["role", "userrole"],
  propertyUnit: [
    "propertyunit",
    "propertyandunit",
    "unit",
    "unitnumber",
    "unitno",
    "apartment",
    "apt",
    "suite",
  ],
  property: ["property", "propertyname", "building", "community"],
};
const meanings = new Map(
  (Object.entries(names) as [ColumnMeaning, readonly string[]][]).flatMap(([meaning, list]) =>
    list.map((name) => [name, meaning] as const),
  ),
);

/** What a header stands for, whatever its case, spaces and signs; undefined when it is none of ours. */
export function columnMeaning(header: string): ColumnMeaning | undefined {
  return meanings.get(header.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ""));
}

export type HeaderReading = {
  /** The header of each column that was recognised, as it is written. */
  columns: ReadonlyMap<ColumnMeaning, string>;
  /** Headers that nothing here answers to: their cells are not imported. */
  ignored: readonly string[];
  /** Why nothing can be imported under this header; null when it can. */
  trouble: string | null;
};

type MeaningOf = (header: string, place: number) => ColumnMeaning | undefined;

/** Recognises the columns of a file, by their names unless `meaningOf` knows better. */
export function readHeader(headers: Iterable<string>, meaningOf: MeaningOf = columnMeaning): HeaderReading {
  const columns = new Map<ColumnMeaning, string>();
  const ignored: string[] = [];
  let trouble: string | null = null;
  for (const [place, header] of [...headers].entries()) {
    const meaning = meaningOf(header, place);
    const other = meaning && columns.get(meaning);
    if (other !== undefined) {
      trouble ??= `Two columns, "${other}" and "${header}", both read as ${meaning}. Keep one of them.`;
    } else if (meaning) columns.set(meaning, header);
    else if (header.trim() !== "") ignored.push(header);
  }
  return { columns, ignored, trouble: missingSentence(columns) ?? trouble };
}

function missingSentence(columns: ReadonlyMap<ColumnMeaning, string>): string | null {
  const missing = requiredColumns.filter((column) => !columns.has(column));
  if (missing.length === 0) return null;
  const which =
    missing.length === 1
      ? `The header ${missing[0]} is missing.`
      : `The headers ${missing.join(" and ")} are missing.`;
  return `${which} The first row names the columns: ${csvColumns.join(",")}`;
}
