import { notifications, type NotificationDetail } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import { call } from "#web/api/client.ts";
import { ApiError } from "#web/api/call-errors.ts";

/** What the editor needs from the notification that a schedule sends. */
export type OpenedMessage = Pick<
  NotificationDetail,
  "id" | "title" | "contentText" | "fieldValues" | "channels" | "perHome" | "class" | "status" | "sent_time"
>;

/** A schedule with the notification it sends; null if it sends a template, or if the notification was deleted. */
export type Opened = Omit<Schedule, "message"> & { message: OpenedMessage | null };

/** What the editor opens: a schedule, or the name of a new one. */
export type ToEdit = { stored: Opened } | { stored: undefined; name: string };

/** Throws if reading fails. */
export async function openSchedule(id: number | undefined): Promise<ToEdit> {
  if (id === undefined) return { stored: undefined, name: "" };
  try {
    return { stored: await readOpened(id) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "not-found") throw error;
    return { stored: undefined, name: `Schedule #${id}` };
  }
}

export async function readOpened(id: number): Promise<Opened> {
  const stored = await call(schedules.read, { params: { id } });
  const byNotification = stored.templateId === null && stored.notificationId !== null;
  return { ...stored, message: byNotification ? await readMessage(stored.notificationId ?? 0) : null };
}

/** A notification that a schedule can send; null if there is none with this id. */
export async function readMessage(id: number): Promise<OpenedMessage | null> {
  try {
    const found = await call(notifications.detail, { params: { id } });
    return found.kind === "message" && found.content.trim() !== "" ? found : null;
  } catch (error) {
    if (error instanceof ApiError && error.code === "not-found") return null;
    throw error;
  }
}
