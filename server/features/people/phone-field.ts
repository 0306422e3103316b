import { fieldError } from "#contract/errors.ts";
import { readPhone } from "#server/features/people/phone.ts";

/** The phone field of a form as E.164; empty means none. Throws invalid-input at `phone`. */
export function phoneOf(text: string): string | null {
  if (text.trim() === "") return null;
  const reading = readPhone(text);
  if ("phone" in reading) return reading.phone;
  throw fieldError("invalid-input", "phone", reading.reason);
}
