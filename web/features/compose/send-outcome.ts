import type { NotificationForm } from "#contract/notifications.ts";

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

/** The key was taken before for something else than what stands in the dialog; `reason` says for what. */
export function alreadyTaken(reason: string): Words {
  return {
    title: "Taken Before",
    description: `${reason} Send it again to have it taken as a new one; whoever got the first gets this one, too.`,
    variant: "destructive",
    duration: 20_000,
  };
}

export function failureWords(error: unknown, title = "Error Sending Notification"): Words {
  const message = error instanceof Error ? error.message : "";
  return {
    title,
    description: message || "Something went wrong",
    variant: "destructive",
  };
}
