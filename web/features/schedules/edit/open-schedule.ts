import { groups } from "#contract/groups.ts";
import { notifications, type NotificationDetail } from "#contract/notifications.ts";
import { scheduleDefaults } from "#contract/schedule-fields.ts";
import { schedules } from "#contract/schedules.ts";
import type { Schedule } from "#contract/schedule-replies.ts";
import { ApiError, call, callList } from "#web/api/client.ts";
import type { NewSchedule } from "#web/features/schedules/edit/schedule-form.ts";

/** What the editor needs from the notification that a schedule sends. */
export type OpenedMessage = Pick<
  NotificationDetail,
  "id" | "title" | "contentText" | "fieldValues" | "channels" | "class" | "status" | "sent_time"
>;

/** A schedule with the notification it sends; null if it sends a template, or if the notification was deleted. */
export type Opened = Omit<Schedule, "message"> & { message: OpenedMessage | null };

/** The schedule for the editor, or the defaults of a new one. Throws if reading fails. */
export async function openSchedule(
  id: number | undefined,
): Promise<{ stored: Opened } | { stored: undefined; defaults: NewSchedule }> {
  if (id === undefined) return { stored: undefined, defaults: await readDefaults() };
  try {
    return { stored: await readOpened(id) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "not-found") throw error;
    return { stored: undefined, defaults: { ...(await readDefaults()), name: `Schedule #${id}` } };
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

async function readDefaults(): Promise<NewSchedule> {
  const { notificationId, recipients } = scheduleDefaults;
  const [message, found] = await Promise.all([
    readMessage(notificationId),
    callList(groups.list, { query: { q: recipients } }),
  ]);
  const everyTenant = found.rows.filter(({ name }) => name === recipients);
  return { message, recipients: everyTenant.map(({ id, name }) => ({ type: "group", id, name })) };
}
