import * as z from "zod";
import { channels } from "#contract/delivery.ts";
import { audienceMember } from "#contract/notifications.ts";
import type { NotificationForm, notifications } from "#contract/notifications.ts";
import type { Input } from "#web/api/client.ts";

/** The call that did not reach the server. It is repeated unchanged, with its client key. */
export type PendingCall =
  | { to: "send"; body: Input<typeof notifications.send>["body"] }
  | { to: "create"; body: Input<typeof notifications.create>["body"] };

/** What the dialog passes on. `plannedFor` is null if it should be sent as soon as the server answers. */
export type Pending = {
  clientKey: string;
  call: PendingCall;
  /** The contents of the dialog, so that it can be reopened. */
  form: NotificationForm;
  /** ISO 8601. */
  plannedFor: string | null;
};

const FIRST_LOCAL_ID = 100;
export const LAST_LOCAL_ID = 10_099;
export const MOST_ENTRIES = LAST_LOCAL_ID - FIRST_LOCAL_ID + 1;

const stored = z.object({
  localId: z.number().int().min(FIRST_LOCAL_ID).max(LAST_LOCAL_ID),
  clientKey: z.string().min(1),
  /** The author. No one else's session may send it. */
  userId: z.number(),
  keptAt: z.iso.datetime(),
  plannedFor: z.iso.datetime({ offset: true }).nullable(),
  call: z.object({ to: z.enum(["send", "create"]), body: z.looseObject({ clientKey: z.string() }) }),
  // Checks only what is shown. The dialog reads the rest, and a newer dialog can read an older form.
  form: z.looseObject({
    title: z.string(),
    channels: z.array(z.enum(channels)),
    recipients: z.array(audienceMember),
  }),
  /** The server's reason for refusing it; null while it waits for the server. */
  refusal: z.string().nullable(),
  /** It is being sent to the server right now, so it can no longer be discarded. */
  underWay: z.boolean().default(false),
});

export type OutboxEntry = Omit<z.output<typeof stored>, "call" | "form"> & {
  call: PendingCall;
  form: Pick<NotificationForm, "title" | "channels" | "recipients"> & Partial<NotificationForm>;
};

/**
 * Reads what is stored under the key. `foreign` holds what could not be read as an entry. It is written back unchanged,
 * because a newer version may understand it.
 */
export function readEntries(text: string | null): { entries: OutboxEntry[]; foreign: unknown[] } {
  const entries: OutboxEntry[] = [];
  const foreign: unknown[] = [];
  for (const item of parsedList(text)) {
    const result = stored.safeParse(item);
    if (result.success) entries.push(result.data as OutboxEntry);
    else foreign.push(item);
  }
  return { entries, foreign };
}

function parsedList(text: string | null): unknown[] {
  if (text === null) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** A number from 100 to 10099 that no other entry has. There must be one left. `random` returns 0 to below 1. */
export function freeLocalId(taken: readonly number[], random: () => number): number {
  const used = new Set(taken);
  let id = FIRST_LOCAL_ID + Math.floor(random() * MOST_ENTRIES);
  while (used.has(id)) id = id === LAST_LOCAL_ID ? FIRST_LOCAL_ID : id + 1;
  return id;
}
