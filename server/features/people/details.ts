import { refusal } from "#contract/refusals/refusal.ts";
import { storedDetail } from "#contract/text/person-details.ts";
import type { Detail } from "#contract/text/kept-details.ts";

/** A person's values, by the id of the detail. */
export type StoredDetails = Readonly<Record<string, string>>;

/** The values after a call set some, each by its field; an empty one removes it. Throws invalid-input. */
export function detailsAfter(
  before: StoredDetails,
  said: Readonly<Record<string, string>>,
  details: readonly Detail[],
): StoredDetails {
  const after = new Map(Object.entries(before));
  for (const [field, text] of Object.entries(said)) {
    const at = { field: `details.${field}` };
    const detail = details.find((one) => one.field === field);
    if (!detail) throw refusal("detail-unknown", { field }, at);
    const value = text === "" ? "" : storedDetail(detail.kind, text);
    if (value === null) throw refusal("detail-not-valid", { label: detail.label, kind: detail.kind }, at);
    if (value === "") after.delete(String(detail.id));
    else after.set(String(detail.id), value);
  }
  return inOrder(after);
}

/** As PostgreSQL keeps them, so that two can be compared as text. */
export const inOrder = (values: Iterable<readonly [string, string]>): StoredDetails =>
  Object.fromEntries([...values].toSorted(([one], [other]) => Number(one) - Number(other)));

/** A person's values by their fields, as calls have them. */
export function detailsByField(stored: StoredDetails, details: readonly Detail[]): Record<string, string> {
  return Object.fromEntries(
    details.flatMap(({ id, field }) => (Object.hasOwn(stored, id) ? [[field, stored[id]!]] : [])),
  );
}
