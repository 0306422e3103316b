import { createHash } from "node:crypto";
import type { AppError } from "#contract/errors.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { readByClientKey, type StoredNotification } from "#server/features/notifications/queries.ts";

/** A key from the caller, and a hash of the call it was made for. */
export type IdempotencyKey = { key: string; bodyHash: Buffer };

/** Hashes a parsed body: neither the order of its keys nor an omitted default makes a difference. */
export function idempotencyKey(key: string | undefined, body: object): IdempotencyKey | null {
  if (key === undefined) return null;
  return { key, bodyHash: createHash("sha256").update(inOneOrder(body)).digest() };
}

function inOneOrder(body: object): string {
  return JSON.stringify(body, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/**
 * What the same call by this person created earlier; null if it created nothing. Throws already-taken for another call.
 */
export async function readEarlier(
  db: Db,
  userId: number,
  { key, bodyHash }: IdempotencyKey,
): Promise<StoredNotification | null> {
  const stored = await readByClientKey(db, userId, key);
  if (!stored || stored.client_key_hash?.equals(bodyHash)) return stored;
  throw keyTaken(stored);
}

const NAMED = 3;

/** Says what was stored under the key, and that nothing else was. */
function keyTaken({ title, audience, channels }: StoredNotification): AppError {
  const names = audience.slice(0, NAMED).map(({ name }) => name);
  return refusal("notification-saved-already", {
    title,
    names,
    more: audience.length - names.length,
    channels,
  });
}
