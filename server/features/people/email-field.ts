import { fieldError } from "#contract/errors.ts";

/** The address after a form was saved: who has none may stay without one; who has one does not lose it. */
export function emailAfter(before: string | null, email: string): string | null {
  if (email !== "") return email;
  if (before === null) return null;
  const sentence = "Invalid email address";
  throw fieldError("invalid-input", "email", sentence);
}
