import { fieldError } from "#contract/errors.ts";

/**
 * The address after a form was saved: a person without one may stay without one, but an existing one is not removed.
 */
export function emailAfter(before: string | null, email: string): string | null {
  if (email !== "") return email;
  if (before === null) return null;
  const sentence = "Invalid email address";
  throw fieldError("invalid-input", "email", sentence);
}
