import { fold } from "#contract/text/fold.ts";
import type { Detail } from "#contract/text/kept-details.ts";
import type { KnownPerson } from "#server/features/csv/find-people.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";
import type { StoredDetails } from "#server/features/people/details.ts";

/** "Tenant ID", "Resident code", "Customer no.": what another program calls a person, kept as a detail. */
const ID_NAME =
  /^(?:tenant|resident|renter|lessee|person|customer|account)\W*(?:id|code|no\.?|number|nr\.?|#)$|^(?:mieter|kunden|personen)\W*(?:nr\.?|nummer)$/i;

/** Of these details, those by which another program tells people apart. */
export const idDetails = (details: readonly Detail[]): string[] =>
  details.flatMap(({ id, kind, label }) =>
    kind === "text" && ID_NAME.test(label.trim()) ? [String(id)] : [],
  );

/** A person's ids, each with its detail. */
export const idsIn = (stored: StoredDetails | undefined, details: readonly string[]) =>
  details.flatMap((detail) => {
    const value = stored?.[detail];
    return value ? [{ detail, value }] : [];
  });

/**
 * Finds who has an id of a row's. Some programs have one id for a home or a lease, so the first name has to agree, too:
 * not the last one, nor an address, which change.
 */
export function finderById(people: readonly KnownPerson[], details: readonly string[]) {
  const byId = Map.groupBy(
    people.flatMap((known) => idsIn(known.details, details).map((id) => ({ ...id, known }))),
    ({ detail, value }) => `${detail} ${value}`,
  );
  return (row: PersonCells): KnownPerson | undefined => {
    const found = idsIn(row.details, details)
      .flatMap(({ detail, value }) => byId.get(`${detail} ${value}`) ?? [])
      .filter(({ known }) => firstWord(known.firstName) === firstWord(row.firstName));
    return found.length === 1 ? found[0]?.known : undefined;
  };
}

const firstWord = (name: string | undefined) => fold(name ?? "").split(/\s+/, 1)[0];
