import type { HomesWhere } from "#contract/text/homes-text.ts";

/**
 * Whom a message goes to: a group, a person, whoever lives in homes of the property with this id, or who has a value in
 * the file with this id.
 */
export type RecipientRef = { type: RecipientType; id: number } & HomesWhere;
export const recipientTypes = ["group", "user", "homes", "file"] as const;
export type RecipientType = (typeof recipientTypes)[number];

/** A person may have values for the message's fields that it has for them alone. */
export type ValuedRecipient = RecipientRef & { values?: Readonly<Record<string, string>> | undefined };

/** A recipient as calls name it: without its name. */
export const refOf = ({ type, id, building, floors, stacks, units }: RecipientRef): RecipientRef => ({
  type,
  id,
  ...(type === "homes" && { building, floors, stacks, units }),
});

/** Unique among recipients. */
export function recipientKey(recipient: RecipientRef): string {
  const { type, id, ...where } = refOf(recipient);
  return type === "homes" ? `${type}:${id}:${JSON.stringify(where)}` : `${type}:${id}`;
}
