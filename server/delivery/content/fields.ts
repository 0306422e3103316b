import { AppError } from "#contract/errors.ts";
import type { PersonField } from "#contract/message-fields.ts";
import { writtenDate } from "#contract/relative-date.ts";
import type { FieldValues } from "./compiled.ts";
import { oneLine } from "./writing.ts";

/**
 * The placeholder for the one-time link in its message, and only there. It is filled when a worker sends the message
 * and never before, so no stored text holds a link.
 */
export const ONE_TIME_LINK_FIELD = "one_time_link";

/** Those of the fields that have no value. */
export function missingFields(fields: readonly string[], values: FieldValues): string[] {
  return fields.filter((field) => !Object.hasOwn(values, field));
}

/** Refuses to send until these fields are filled in, and names each at its place in the form. */
export function unfilled(fields: readonly string[]): AppError {
  const label = (field: string) => field.replaceAll("_", " ");
  return new AppError("missing-field-values", `Fill in ${fields.map(label).join(", ")} before sending.`, {
    fields: Object.fromEntries(fields.map((field) => [`fieldValues.${field}`, `Fill in ${label(field)}`])),
  });
}

/** The values typed for the fields the sender fills in. A blank answer counts as none. */
export function answered(answers: Readonly<Record<string, string>>): FieldValues {
  return Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer.trim() !== ""));
}

/** `today` as a tenant reads it: "November 25, 2026". The caller passes the day, because it is the organization's. */
export function todayValue(day: Temporal.PlainDate): string {
  return writtenDate(day);
}

type Person = {
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
  /** As it was written: "Maple Court 4B". */
  propertyUnit: string | null;
  /** The property recognized in it. */
  property: string | null;
};

/**
 * The fields that come from a person. What is not on file is left out, so it counts as missing. For a person without a
 * last name, `last_name` is empty. Without a property on file, `property_name` is the site name.
 */
export function personValues(person: Person, siteName: string): FieldValues {
  const first = oneLine(person.firstName);
  const last = oneLine(person.lastName);
  const values: Record<PersonField, string | null> = {
    tenant_name: `${first} ${last}`.trim(),
    first_name: first || last,
    last_name: first ? last : "",
    email: person.email,
    phone: person.phone,
    property_unit: person.propertyUnit,
    property_name: person.property ?? siteName,
  };
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [PersonField, string] => {
      const [field, value] = entry;
      return field === "last_name" || (value !== null && value.trim() !== "");
    }),
  );
}
