import { timingSafeEqual } from "node:crypto";

/** Whether a call's signature is the expected one, in a time that does not tell how much of it was right. */
export function sameSignature(given: unknown, expected: string): boolean {
  if (typeof given !== "string") return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
