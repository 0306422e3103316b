import { isolated } from "#contract/text/isolate.ts";
import type { NotificationForm } from "#contract/calls/notifications.ts";
import { sandboxSentence } from "#web/domain/message/sandbox-text.ts";
import type { ToastInput } from "#web/ui/feedback/toast-store.ts";

/** What to say once the server has accepted it. */
export function successText(schedule: NotificationForm["schedule"], sandboxOnly: boolean): ToastInput {
  if (schedule !== "immediate") {
    return {
      title: "Notification Scheduled",
      description: "Your notification has been scheduled successfully.",
    };
  }
  return {
    title: "Notification Sent",
    description: sandboxOnly ? sandboxSentence() : "Your notification has been sent successfully.",
  };
}

export const offlineText = {
  kept: (title: string): ToastInput => ({
    title: "Not yet sent",
    description: `We can't reach the server. “${isolated(title)}” is saved in this browser, and we'll send it as soon as the server answers.`,
    variant: "waiting",
    duration: 10_000,
  }),
  full: {
    title: "Error Sending Notification",
    description:
      "We can't reach the server, and this browser can't save the notification. Nothing was sent. What you wrote is still here.",
    variant: "destructive",
  } satisfies ToastInput,
};

/** The key was used before for something other than what is in the dialog; `reason` says for what. */
export function alreadySent(reason: string): ToastInput {
  return {
    title: "Already sent",
    description: `${reason} Send again to send it as a new notification. People who got the first will get this one too.`,
    variant: "destructive",
    duration: 20_000,
  };
}
