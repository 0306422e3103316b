import type { AudienceMember } from "#contract/notifications.ts";

/** From so many people on, the number has to be typed before it goes out. */
const VERY_MANY = 1000;

/** How many people are to be confirmed; "unknown" where nobody could count them. */
export type Question = number | "unknown";

/**
 * What is to be confirmed before it goes to `recipients`, of whom so many are reached (undefined: they could not be
 * counted); null: nothing. Only a group can be larger than it looks.
 */
export function questionBefore(
  reached: number | undefined,
  recipients: readonly Pick<AudienceMember, "type">[],
): Question | null {
  if (reached === undefined) return recipients.some(({ type }) => type === "group") ? "unknown" : null;
  return reached >= VERY_MANY ? reached : null;
}
