import * as z from "zod";
import type { NotificationForm } from "#contract/calls/notifications.ts";
import { draftsOf, isShared } from "#web/api/this-browser.ts";
import { restoredForm } from "#web/features/compose/compose-form.ts";

export type Draft = {
  /** Where it is stored. */
  place: string;
  form: NotificationForm;
  /** Kept with the text: what may have reached the server already is not sent a second time. */
  clientKey: string;
  /** ISO 8601. */
  savedAt: string;
};

export type Drafts = {
  /** A new key under this name. Each open dialog writes to its own key, independent of other tabs. */
  place: (name: string) => string;
  /** The newest one under this name. */
  read: (name: string) => Draft | undefined;
  /** False if the browser would not store it. */
  save: (place: string, form: NotificationForm, clientKey: string) => boolean;
  discard: (place: string) => void;
  /** Deletes a draft that was copied to another key, unless its own tab has changed it since. */
  supersede: (draft: Draft) => void;
};

/** The browser's storage; null if it is blocked or the computer is shared, and then nothing is kept. */
export function draftStorage(): Storage | null {
  if (isShared()) return null;
  try {
    return localStorage;
  } catch {
    return null;
  }
}

type Ports = { storage: Storage | null; userId: number; now: () => number; mint: () => string };

const stored = z.object({ form: z.unknown(), clientKey: z.string().min(1), savedAt: z.iso.datetime() });

/**
 * What is being written, kept in this browser for its author under a name ("new", "copy of 12"), so that neither a
 * closed tab nor a closed dialog loses it. `forgetOldDrafts` deletes the old ones.
 */
export function createDrafts({ storage, userId, now, mint }: Ports): Drafts {
  const under = (name: string) => `${draftsOf(userId)}${name}`;

  const readAt = (place: string): Draft | undefined => {
    try {
      const { form, clientKey, savedAt } = stored.parse(JSON.parse(storage?.getItem(place) ?? ""));
      return { place, form: restoredForm(form), clientKey, savedAt };
    } catch {
      return undefined;
    }
  };

  return {
    place: (name) => `${under(name)}:${mint()}`,
    read(name) {
      const places = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? "");
      // Earlier versions kept one draft per name, at the name itself.
      return places
        .filter((place) => place === under(name) || place.startsWith(`${under(name)}:`))
        .flatMap((place) => readAt(place) ?? [])
        .toSorted((one, other) => Date.parse(other.savedAt) - Date.parse(one.savedAt))[0];
    },
    save(place, form, clientKey) {
      const draft: Omit<Draft, "place"> = { form, clientKey, savedAt: new Date(now()).toISOString() };
      try {
        storage?.setItem(place, JSON.stringify(draft));
        return storage !== null;
      } catch {
        return false;
      }
    },
    discard(place) {
      storage?.removeItem(place);
    },
    supersede({ place, savedAt }) {
      if (readAt(place)?.savedAt === savedAt) storage?.removeItem(place);
    },
  };
}
