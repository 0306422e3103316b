/** What this browser remembers beside its cookies. If storage is blocked, it remembers nothing. */

const SHARED = "porchlight-shared";
const PERSON = "porchlight-person";
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000;

const DRAFTS = "porchlight-draft-";
/** Where a person's drafts are kept. */
export const draftsOf = (userId: number) => `${DRAFTS}${userId}-`;

function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Others use this browser too, so nothing that a person writes is kept in it. */
export function isShared(): boolean {
  return storage()?.getItem(SHARED) === "yes";
}

/** The choice at sign-in. It applies to all tabs until someone chooses otherwise. */
export function rememberShared(shared: boolean): void {
  try {
    if (shared) storage()?.setItem(SHARED, "yes");
    else storage()?.removeItem(SHARED);
  } catch {
    // If storage is full, no drafts are kept either.
  }
}

/** Who was last signed in here; null if unknown. */
export function lastPerson(): number | null {
  return Number(storage()?.getItem(PERSON)) || null;
}

export function rememberPerson(userId: number): void {
  try {
    storage()?.setItem(PERSON, String(userId));
  } catch {
    // Then the last person is unknown, and in a full storage there is nothing new to send.
  }
}

function forgetDrafts(which: (place: string, text: string) => boolean): void {
  const kept = storage();
  if (!kept) return;
  const places = Array.from({ length: kept.length }, (_, index) => kept.key(index) ?? "");
  for (const place of places) {
    if (place.startsWith(DRAFTS) && which(place, kept.getItem(place) ?? "")) kept.removeItem(place);
  }
}

export const forgetDraftsOf = (userId: number) => forgetDrafts((place) => place.startsWith(draftsOf(userId)));

/** Anyone's drafts that were not touched for 30 days or cannot be read. */
export function forgetOldDrafts(now: number): void {
  forgetDrafts((_place, text) => {
    const savedAt = Date.parse(/"savedAt":"([^"]+)"/.exec(text)?.[1] ?? "");
    return !(now - savedAt < KEPT_FOR);
  });
}
