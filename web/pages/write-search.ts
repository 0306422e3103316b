import type { AudienceMember } from "#contract/notifications.ts";

type Kind = AudienceMember["type"];
export type Addressee = { type: Kind; id: number };

/** On any screen, the recipient of a new notification: ?write=user:12 or ?write=group:7 */
export type WriteSearch = { write?: `${Kind}:${number}` };

/** Accepts any query string and ignores invalid recipients. */
export function writeSearch(raw: Record<string, unknown>): WriteSearch {
  const to = addressee(raw["write"]);
  return to ? { write: `${to.type}:${to.id}` } : {};
}

/** "user:12" → { type: "user", id: 12 } */
export function addressee(write: unknown): Addressee | undefined {
  const found = typeof write === "string" ? /^(user|group):([1-9]\d{0,14})$/.exec(write) : null;
  return found ? { type: found[1] as Kind, id: Number(found[2]) } : undefined;
}
