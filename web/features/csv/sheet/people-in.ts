import { fullName, splitFullName } from "#contract/text/full-name.ts";
import { listText } from "#contract/text/locale.ts";
import { type Mapping, rowReader } from "#contract/text/sheet-columns.ts";

/** Whom a row is about, as its columns are read: "Ann Lee and Ben Lee"; empty if it names no one. */
export function peopleIn(headers: readonly string[], mapping: Mapping, cells: readonly string[]): string {
  const reader = rowReader(headers, mapping);
  const names = reader.residentsIn(cells).map((resident) => {
    const { firstName = "", lastName = "", fullName: whole = "" } = reader.rowOf(cells, resident);
    return (
      fullName({ firstName, lastName }) || fullName(splitFullName(whole) ?? { firstName: whole, lastName })
    );
  });
  return listText(names.filter(Boolean));
}
