import { createHash } from "node:crypto";
import { isolated } from "#contract/text/isolate.ts";
import { channelMeaning } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
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

/** The refusal in words: what was stored under the key, and that nothing else was. */
function keyTaken({ title, audience, channels }: StoredNotification): AppError {
  const named = audience.slice(0, NAMED).map(({ name }) => name);
  const more = audience.length - named.length;
  const whom = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const ways = channels.map((channel) => channelMeaning[channel].choice).join(" and ");
  return new AppError(
    "already-taken",
    `"${isolated(title)}" was already saved${whom && ` for ${isolated(whom)}`}${ways && ` by ${ways}`}. Your changes since then have not been saved.`,
  );
}
