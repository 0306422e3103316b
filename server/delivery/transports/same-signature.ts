import { timingSafeEqual } from "node:crypto";

/** Compares a signature with the expected one in constant time. */
export function sameSignature(given: unknown, expected: string): boolean {
  if (typeof given !== "string") return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
