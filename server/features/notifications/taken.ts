import { isDeepStrictEqual } from "node:util";
import type { api } from "#contract/api.ts";
import { channelMeaning } from "#contract/delivery.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { AppError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";
import type { StoredNotification } from "#server/features/notifications/queries.ts";
import { resolveRecipients } from "#server/features/notifications/resolve-recipients.ts";
import { recurrenceOf } from "#server/features/notifications/save.ts";
import { toInstant } from "#server/features/notifications/time.ts";
import { findTemplate } from "#server/features/templates/queries.ts";

/** What comes with a client key. `goesNow`: it is to be sent at once. */
export type Asked = Omit<BodyOf<typeof api.notifications.create>, "clientKey"> & { goesNow: boolean };

/**
 * Whether what was taken under a client key is what is asked for under it now. What a name means, or a template's
 * text, may have changed since: where nobody can say any more whether they differ, they do not.
 */
export async function isWhatWasTaken(
  db: Db,
  stored: StoredNotification,
  asked: Asked,
  zone: string,
): Promise<boolean> {
  const [audience, templateId] = await Promise.all([audienceOf(db, asked), templateOf(db, asked)]);
  const text = asked.content ?? "";
  const ownText = asked.templateId === undefined || text.trim() !== "";
  return (
    stored.title === asked.title &&
    (!ownText || stored.content === text) &&
    stored.message_type === (asked.templateId === undefined ? "custom" : "template") &&
    (templateId === undefined || stored.template_id === null || stored.template_id === templateId) &&
    isDeepStrictEqual(stored.field_values, asked.fieldValues) &&
    (audience === undefined || sameSet(stored.audience.map(keyOf), audience)) &&
    sameSet(stored.channels, asked.channels) &&
    sameSet(
      stored.attachment_ids,
      asked.attachments.map(({ id }) => id),
    ) &&
    (asked.class === undefined || stored.class === asked.class) &&
    isPlannedAsAsked(stored, asked, zone)
  );
}

/** The refusal in words: what was taken, and that nothing else was. */
export function takenAsAnother({ title, audience, channels }: StoredNotification): AppError {
  const named = audience.slice(0, NAMED).map(({ name }) => name);
  const more = audience.length - named.length;
  const whom = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const ways = channels.map((channel) => channelMeaning[channel].choice).join(" and ");
  return new AppError(
    "already-taken",
    `"${title}" was taken before, for ${whom} by ${ways}, as it was written then. What was changed since has not been taken.`,
  );
}

const NAMED = 3;

function isPlannedAsAsked(stored: StoredNotification, asked: Asked, zone: string): boolean {
  const at =
    asked.status === "Scheduled" && asked.scheduled_time ? toInstant(asked.scheduled_time, zone) : null;
  const rule = asked.status === "Recurring" ? recurrenceOf(asked, zone) : null;
  const ruleOf = (one: typeof rule) => one && [one.kind, one.day, one.time];
  return (
    stored.scheduled_time?.getTime() === at?.getTime() &&
    isDeepStrictEqual(ruleOf(stored.recurrence), ruleOf(rule)) &&
    !(asked.goesNow && stored.status === "Draft")
  );
}

/** Undefined where a name means nobody, or several, by now. */
async function audienceOf(db: Db, { recipients }: Asked): Promise<string[] | undefined> {
  const names = recipients.filter((one) => typeof one === "string");
  const named = await unlessRefused(resolveRecipients(db, names));
  return named && [...recipients.filter((one) => typeof one !== "string"), ...named].map(keyOf);
}

async function templateOf(db: Db, { templateId }: Asked): Promise<number | undefined> {
  if (typeof templateId !== "string") return templateId;
  return (await unlessRefused(findTemplate(db, templateId)))?.id;
}

async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

const keyOf = ({ type, id }: { type: string; id: number }) => `${type} ${id}`;

const sameSet = (some: readonly (string | number)[], others: readonly (string | number)[]) =>
  isDeepStrictEqual(new Set(some), new Set(others));
