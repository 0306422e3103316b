import type { AudienceMember } from "#contract/notifications.ts";

type Kind = AudienceMember["type"] | "template";
/** What a new notification starts with: a recipient or a template. */
export type Start = { type: Kind; id: number };

/** On any screen, the create dialog: ?write=new, ?write=user:12, ?write=group:7 or ?write=template:3 */
export type WriteSearch = { write?: "new" | `${Kind}:${number}` };

/** Accepts any query string and ignores invalid values. */
export function writeSearch(raw: Record<string, unknown>): WriteSearch {
  if (raw["write"] === "new") return { write: "new" };
  const start = startOf(raw["write"]);
  return start ? { write: `${start.type}:${start.id}` } : {};
}

/** "user:12" → { type: "user", id: 12 } */
export function startOf(write: unknown): Start | undefined {
  const found = typeof write === "string" ? /^(user|group|template):([1-9]\d{0,14})$/.exec(write) : null;
  return found ? { type: found[1] as Kind, id: Number(found[2]) } : undefined;
}
