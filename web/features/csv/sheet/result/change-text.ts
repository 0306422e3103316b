import type {
  ChangedField,
  ImportResults,
  KeptReason,
  PersonChange,
} from "#contract/calls/import-results.ts";
import { counted } from "#contract/text/count-text.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { listText } from "#contract/text/locale.ts";
import { writtenDetail } from "#contract/text/person-details.ts";
import { roleLook } from "#web/domain/role-badge.tsx";
import { nationalPhone, shownContacts } from "#web/domain/phone-number.ts";

/** What an import changed, in words. */

const names: Record<ChangedField, [label: string, one: string, many: string]> = {
  name: ["Name", "name", "names"],
  email: ["Email", "email address", "email addresses"],
  phone: ["Phone", "phone number", "phone numbers"],
  "other-contacts": ["Other contacts", "person's other contacts", "people's other contacts"],
  role: ["Role", "role", "roles"],
  home: ["Property/Unit", "home", "homes"],
  days: ["Dates", "date", "dates"],
  detail: ["Details", "person's details", "people's details"],
};

export const changeLabel = ({ field, label }: PersonChange): string => label ?? names[field][0];

/** A value as people read it; null: there is none. */
export function changeValue({ field, kind }: PersonChange, value: string | null): string | null {
  if (value === null) return null;
  if (kind !== null) return kind === "date" ? dayText(value) : writtenDetail(kind, value);
  if (field === "phone") return nationalPhone(value);
  if (field === "other-contacts") return shownContacts(value);
  return field === "role" ? roleLabel(value) : value;
}

const roleLabel = (role: string) =>
  Object.entries(roleLook).find(([name]) => name === role)?.[1].label ?? role;

/** "15 phone numbers, 6 email addresses, and 1 name" */
export const changedText = (changed: ImportResults["changed"]): string =>
  listText(
    Object.entries(changed)
      .toSorted(([, one], [, other]) => other - one)
      .map(([field, number]) =>
        counted(number, names[field as ChangedField][1], names[field as ChangedField][2]),
      ),
  );

export const keptText: Record<KeptReason, string> = {
  deleted: "Deleted since",
  "not-allowed": "Only administrators can change colleagues",
  sent: "A message was sent to them since",
  "signed-in": "Has a password or a link to choose one",
  planned: "Something scheduled names them",
  moved: "Their home was changed since",
  changed: "Changed since",
};
