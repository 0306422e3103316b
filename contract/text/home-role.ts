import type { ResidencyRole } from "#contract/homes.ts";

/** What someone is to a home, as files say it. */

const roles: readonly [ResidencyRole, RegExp][] = [
  [
    "leaseholder",
    /^(?:co)?(?:lease ?holder|lessee|tenant|renter|resident|applicant|head)$|^(?:primary|main|additional|head of (?:the )?(?:household|house)|hoh|self|responsible(?: (?:party|person))?|(?:haupt|mit)?mieter(?:in)?|inquilin[oa]|titular|(?:co)?locataire)(?: (?:lease ?holder|lessee|tenant|renter|resident))?$/,
  ],
  [
    "occupant",
    /^(?:(?:adult|minor|other|additional|authorized|non ?responsible)? ?occupants?|non ?(?:lease ?holder|lessee|responsible)|room ?mate|house ?mate|spouse|husband|wife|(?:domestic )?partner|child|son|daughter|dependents?|minor|parent|mother|father|sibling|brother|sister|grand(?:child|parent|mother|father|son|daughter)|family(?: member)?|relative|live ?in aide?|caregiver|(?:mit)?bewohner(?:in)?|ehe(?:partner(?:in)?|mann|frau)|kind|ocupante|occupant[e]?)$/,
  ],
  ["owner", /^(?:(?:unit|home|co)? ?owner|landlord|(?:mit)?eigentümer(?:in)?|propietari[oa]|propriétaire)$/],
  ["guarantor", /^(?:guarantor|co ?sign(?:er|or)|surety|bürg(?:e|in)|garant(?:e)?|aval)$/],
  ["contact", /^(?:(?:emergency )?contact|next of kin|notfallkontakt|kontakt|contacto)$/],
];

/** The role that a cell names; null if we don't know the word. */
export function homeRoleIn(cell: string): ResidencyRole | null {
  const words = cell
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, " ")
    .trim();
  const found = roles.find(([, pattern]) => pattern.test(words) || pattern.test(words.replace(/^co /, "co")));
  return found?.[0] ?? null;
}
