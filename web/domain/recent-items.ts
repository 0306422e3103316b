import { useEffect } from "react";
import { useUser } from "#web/api/session.ts";

const recentKinds = ["person", "notification", "template", "schedule", "group"] as const;
export type RecentKind = (typeof recentKinds)[number];

/** Something that was opened lately. */
export type RecentItem = { kind: RecentKind; id: number; name: string };

const MOST = 8;
const placeOf = (userId: number) => `porchlight-recent-${userId}`;

/** What this person opened in this tab, newest first. It ends with the tab, because others use this browser too. */
export function recentItems(userId: number): RecentItem[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(placeOf(userId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/** Remembers that this is open. Nothing is remembered while it is loading. */
export function useRecentItem(kind: RecentKind, id: number, name: string | undefined): void {
  const userId = useUser()?.id;
  useEffect(() => {
    if (userId === undefined || !name) return;
    const others = recentItems(userId).filter((item) => item.kind !== kind || item.id !== id);
    try {
      sessionStorage.setItem(placeOf(userId), JSON.stringify([{ kind, id, name }, ...others].slice(0, MOST)));
    } catch {
      // Without storage there are no recent items.
    }
  }, [userId, kind, id, name]);
}

function isRecent(item: unknown): item is RecentItem {
  if (typeof item !== "object" || item === null) return false;
  const { kind, id, name } = item as Record<string, unknown>;
  return recentKinds.some((one) => one === kind) && typeof id === "number" && typeof name === "string";
}
