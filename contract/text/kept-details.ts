/** Which details a page knows people by, and what they may be. Set once for the page, and small, because every screen does. */

export const detailKinds = ["text", "number", "amount", "date"] as const;
export type DetailKind = (typeof detailKinds)[number];

export const DETAILS_MAX = 50;
export const DETAIL_TEXT_MAX = 500;

/** A detail as messages know it: `field` stands in `{{…}}`, and never changes. */
export type Detail = { id: number; label: string; field: string; kind: DetailKind };

let kept: readonly Detail[] = [];
let fields: ReadonlySet<string> = new Set();

/** Sets which details this page knows people by from now on. */
export function setPersonDetails(details: readonly Detail[]): void {
  kept = details;
  fields = new Set(details.map(({ field }) => field));
}

export const personDetails = (): readonly Detail[] => kept;
export const detailFieldsKept = (): ReadonlySet<string> => fields;
