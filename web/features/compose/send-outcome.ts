import type { NotificationForm, NotificationRow } from "#contract/notifications.ts";

type Words = { title: string; description: string; variant?: "destructive" | "waiting"; duration?: number };

/** What is said when the server has taken it. */
export function successWords(schedule: NotificationForm["schedule"]): Words {
  return schedule === "immediate"
    ? { title: "Notification Sent", description: "Your notification has been sent successfully." }
    : { title: "Notification Scheduled", description: "Your notification has been scheduled successfully." };
}

export const offlineWords = {
  kept: (title: string): Words => ({
    title: "Not yet sent",
    description: `The server cannot be reached. “${title}” is kept on this computer and is sent as soon as the server answers.`,
    variant: "waiting",
    duration: 10_000,
  }),
  full: {
    title: "Error Sending Notification",
    description:
      "The server cannot be reached, and this browser has no room to keep the notification. Nothing was sent; what you wrote stays here.",
    variant: "destructive",
  } satisfies Words,
};

export const alreadyTaken: Words = {
  title: "Already Sent",
  description:
    "The server had taken this notification before, as it was written then. What you changed since was not sent; send it as a new one if it should go out, too.",
  variant: "destructive",
};

export function failureWords(error: unknown, title = "Error Sending Notification"): Words {
  const message = error instanceof Error ? error.message : "";
  return {
    title,
    description: message || "Something went wrong",
    variant: "destructive",
  };
}

/**
 * Whether the server's row is what was asked for. It takes a client key once, so a key whose first answer got
 * lost answers with the notification as it was then, whatever has been changed since.
 */
export function isWhatWasAsked(row: NotificationRow, form: NotificationForm): boolean {
  return (
    row.title === form.title &&
    row.channels.toSorted().join() === form.channels.toSorted().join() &&
    (form.messageType === "template" || row.content === form.customMessage)
  );
}
