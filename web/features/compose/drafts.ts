import * as z from "zod";
import type { NotificationForm } from "#contract/notifications.ts";
import { restoredForm } from "#web/features/compose/form.ts";

const PREFIX = "porchlight-draft-";
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000;

type Draft = {
  form: NotificationForm;
  /** Stays with the text: what may have reached the server already is not sent a second time. */
  clientKey: string;
  /** ISO 8601. */
  savedAt: string;
};

export type Drafts = {
  read: (name: string) => Draft | undefined;
  /** False when the browser would not store it. */
  save: (name: string, form: NotificationForm, clientKey: string) => boolean;
  discard: (name: string) => void;
};

/** The browser's storage; null where it is forbidden, and then nothing is kept. */
export function draftStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

type Ports = { storage: Storage | null; userId: number; now: () => number };

const stored = z.object({ form: z.unknown(), clientKey: z.string().min(1), savedAt: z.iso.datetime() });

/**
 * What is being written, kept in this browser for its author under a name ("new", "copy of 12"), so that
 * neither a closed tab nor a closed dialog loses it. One that nobody touches for 30 days is dropped.
 */
export function createDrafts({ storage, userId, now }: Ports): Drafts {
  const keyOf = (name: string) => `${PREFIX}${userId}-${name}`;

  const read = (key: string): Draft | undefined => {
    try {
      const { form, clientKey, savedAt } = stored.parse(JSON.parse(storage?.getItem(key) ?? ""));
      return { form: restoredForm(form), clientKey, savedAt };
    } catch {
      return undefined;
    }
  };

  const sweep = () => {
    if (!storage) return;
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
    for (const key of keys) {
      if (!key?.startsWith(PREFIX)) continue;
      const savedAt = Date.parse(read(key)?.savedAt ?? "");
      if (!(now() - savedAt < KEPT_FOR)) storage.removeItem(key);
    }
  };

  return {
    read(name) {
      sweep();
      return read(keyOf(name));
    },
    save(name, form, clientKey) {
      const draft: Draft = { form, clientKey, savedAt: new Date(now()).toISOString() };
      try {
        storage?.setItem(keyOf(name), JSON.stringify(draft));
        return storage !== null;
      } catch {
        return false;
      }
    },
    discard(name) {
      storage?.removeItem(keyOf(name));
    },
  };
}
