/** Who lives there, by the status that property systems write. */

const lettersOf = (cell: string) =>
  cell
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, "");

/** Why someone in a rent roll or directory doesn't live there. */
export type Absence = "moved-out" | "applicant" | "evicted" | "vacant";

const PERSON = "(?:tenants?|residents?|occupants?|renters?|lessees?|leases?)?";

// What property systems write, in lowercase letters: "Former Resident", "Vacant-Unrented". "Past Due" and "Cancelled
// notice" are of people who live there, so only the words for a vacant home may have others behind them.
const absences: readonly [Absence, RegExp][] = [
  ["evicted", /^(?:evict|evicted|eviction|(?:in|under)eviction|evictionpending|pendingeviction)$/],
  [
    "moved-out",
    new RegExp(
      `^(?:(?:past|former|previous|prior|inactive|ex)${PERSON}|movedout|vacated|terminated|ended|closed|archived|deceased|skipped|skip|inactiv[oa]|(?:inquilino)?anterior|antigu?[oa](?:inquilin[oa])?|ancien(?:ne)?(?:locataire)?|parti|sortie?|inactif|ausgezogen|ehemalig(?:er?)?(?:mieter(?:in)?)?|inaktiv|inativ[oa])$`,
    ),
  ],
  [
    "applicant",
    /^(?:applicant|applied|application(?:pending|approved|denied|submitted)?|applicantpending|pendingapplicant|prospect(?:ive)?(?:tenant|resident)?|lead|wait(?:ing)?list(?:ed)?|guestcard|denied|declined|rejected|cancell?ed|solicitante|candidate?|bewerber(?:in)?|interessent(?:in)?)$/,
  ],
  [
    "vacant",
    /^(?:vacant|vacancy|unoccupied|leerstand|desocupad|inoccup)|^(?:empty|available|down|model|vac[ií]o|libre|leer)$/,
  ],
];

/** Someone who is still to move in: "Future Resident", "Moving in", "Pre-leased". */
const FUTURE = new RegExp(
  `^(?:(?:future|upcoming|incoming)${PERSON}|movingin|pendingmovein|moveinpending|preleased?|(?:inquilino)?futuro|zukünftig(?:er?)?(?:mieter(?:in)?)?)$`,
);

/** Whether a status cell is that of someone who is still to move in. */
export const isMovingIn = (cell: string): boolean => FUTURE.test(lettersOf(cell));

/** Who lives there by a status cell: null for someone who does, or whose status we don't know. */
export function absenceIn(cell: string): Absence | null {
  const status = lettersOf(cell);
  return absences.find(([, pattern]) => pattern.test(status))?.[0] ?? null;
}
