import type { AudienceMember } from "#contract/calls/notifications.ts";

type Kind = Exclude<AudienceMember["type"], "file"> | "template" | "missed" | "run";
/**
 * What a new notification starts with: a recipient, a template, everyone that the notification with this id missed, or
 * what the schedule with this id would send.
 */
export type Start = { type: Kind; id: number };

/**
 * On any screen, the create dialog: ?write=new, ?write=user:12, ?write=group:7 or ?write=template:3. ?write=missed:45 and
 * ?write=user:12&copy=45 start with a copy of that notification. ?write=run:9&occurrence=2026-11-18 writes a missed run anew.
 * ?write=homes:5 is for whoever lives at the property with this id, &units=[7,8] only in these of its homes.
 */
export type WriteSearch = {
  write?: "new" | `${Kind}:${number}`;
  copy?: number;
  occurrence?: string;
  units?: number[];
};

/** Accepts any query string and ignores invalid values. */
export function writeSearch(raw: Record<string, unknown>): WriteSearch {
  if (raw["write"] === "new") return { write: "new" };
  const start = startOf(raw["write"]);
  if (!start) return {};
  const copy = Number(raw["copy"]);
  const copies = start.type === "user" && Number.isSafeInteger(copy) && copy > 0;
  const { occurrence } = raw;
  const ofRun = start.type === "run" && typeof occurrence === "string" && occurrence !== "";
  const { units } = raw;
  const ofUnits = start.type === "homes" && Array.isArray(units) && units.every(Number.isSafeInteger);
  return {
    write: `${start.type}:${start.id}`,
    ...(copies ? { copy } : {}),
    ...(ofRun ? { occurrence } : {}),
    ...(ofUnits && units.length > 0 ? { units: units as number[] } : {}),
  };
}

/** "user:12" → { type: "user", id: 12 } */
export function startOf(write: unknown): Start | undefined {
  const found =
    typeof write === "string" ? /^(user|group|homes|template|missed|run):([1-9]\d{0,14})$/.exec(write) : null;
  return found ? { type: found[1] as Kind, id: Number(found[2]) } : undefined;
}
