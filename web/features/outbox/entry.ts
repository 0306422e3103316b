import { channels } from "#contract/delivery.ts";
import { recipientTypes } from "#contract/recipients.ts";
import { audienceText, type NotificationForm, type notifications } from "#contract/calls/notifications.ts";
import type { schedules } from "#contract/calls/schedules.ts";
import type { Input } from "#web/api/client.ts";
import type { MissedRun } from "#web/domain/unsent/replaced-runs.ts";

/** The call that did not reach the server. It is repeated unchanged, with its client key. */
export type PendingCall =
  | { to: "send"; body: Input<typeof notifications.send>["body"] }
  | { to: "create"; body: Input<typeof notifications.create>["body"] }
  | { to: "schedule"; body: Input<typeof schedules.create>["body"] };

/** What lists show of a dialog's contents. Only that dialog knows the rest. */
type KeptForm = Pick<NotificationForm, "title" | "channels" | "recipients">;

/** What the dialog passes on. `plannedFor` is null if it should be sent as soon as the server answers. */
export type Pending = {
  clientKey: string;
  call: PendingCall;
  /** The contents of the dialog, so that it can be reopened. */
  form: KeptForm;
  /** ISO 8601. */
  plannedFor: string | null;
  /** The missed run that it replaces. */
  replaces?: MissedRun | undefined;
};

const FIRST_LOCAL_ID = 100;
export const LAST_LOCAL_ID = 10_099;
export const MOST_ENTRIES = LAST_LOCAL_ID - FIRST_LOCAL_ID + 1;

export type OutboxEntry = {
  localId: number;
  clientKey: string;
  /** The author. No one else's session may send it. */
  userId: number;
  /** ISO 8601. */
  keptAt: string;
  plannedFor: string | null;
  /** Once the server has it, this missed run is dismissed. */
  replaces?: MissedRun | undefined;
  call: PendingCall;
  form: KeptForm;
  /** The server's reason for refusing it; null while it waits for the server. */
  refusal: string | null;
  /** While it waits: what was answered to the last try; null if nothing was. */
  obstacle: string | null;
  /** It is being sent to the server right now, so it can no longer be discarded. */
  underWay: boolean;
};

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const isText = (value: unknown) => typeof value === "string";
const isTime = (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value));
const isOne = (value: unknown, of: readonly unknown[]) => of.includes(value);

/** Written out, because a schema would load zod with every screen. */
function isEntry(
  item: unknown,
): item is Omit<OutboxEntry, "obstacle" | "underWay"> & { obstacle?: unknown; underWay?: unknown } {
  if (!isFields(item)) return false;
  const { localId, clientKey, userId, keptAt, plannedFor, replaces, call, form, refusal } = item;
  return (
    Number.isInteger(localId) &&
    Number(localId) >= FIRST_LOCAL_ID &&
    Number(localId) <= LAST_LOCAL_ID &&
    isText(clientKey) &&
    clientKey !== "" &&
    typeof userId === "number" &&
    isTime(keptAt) &&
    (plannedFor === null || isTime(plannedFor)) &&
    (replaces === undefined || isRun(replaces)) &&
    isFields(call) &&
    isOne(call["to"], ["send", "create", "schedule"]) &&
    isFields(call["body"]) &&
    isText(call["body"]["clientKey"]) &&
    isFields(form) &&
    isShown(form) &&
    (refusal === null || isText(refusal))
  );
}

const isRun = (value: unknown) =>
  isFields(value) && typeof value["scheduleId"] === "number" && isText(value["occurrence"]);

/** Checks only what is shown. The dialog reads the rest, and a newer dialog can read an older form. */
function isShown({ title, channels: chosen, recipients }: Fields): boolean {
  return (
    isText(title) &&
    Array.isArray(chosen) &&
    chosen.every((channel) => isOne(channel, channels)) &&
    Array.isArray(recipients) &&
    recipients.every(
      (one) =>
        isFields(one) &&
        isOne(one["type"], recipientTypes) &&
        typeof one["id"] === "number" &&
        isText(one["name"]),
    )
  );
}

/**
 * Reads what is stored under the key. `foreign` holds what could not be read as an entry. It is written back unchanged,
 * because a newer version may understand it.
 */
export function readEntries(text: string | null): { entries: OutboxEntry[]; foreign: unknown[] } {
  const entries: OutboxEntry[] = [];
  const foreign: unknown[] = [];
  for (const item of parsedList(text)) {
    if (!isEntry(item)) {
      foreign.push(item);
      continue;
    }
    // Older versions stored neither.
    const { obstacle, underWay } = item;
    entries.push({
      ...item,
      obstacle: typeof obstacle === "string" ? obstacle : null,
      underWay: underWay === true,
    });
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

/** An entry as shown in lists. */
export type OutboxRow = OutboxEntry & {
  title: string;
  channels: OutboxEntry["form"]["channels"];
  /** The names of the chosen groups and people. */
  recipients: string;
};

export function rowOf(entry: OutboxEntry): OutboxRow {
  const { title, channels, recipients } = entry.form;
  return { ...entry, title, channels, recipients: audienceText(recipients) };
}
