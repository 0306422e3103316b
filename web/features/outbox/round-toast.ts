import type { OutboxEntry } from "#web/features/outbox/entry.ts";
import type { Round } from "#web/features/outbox/deliver.ts";

type RoundToast = { title: string; description: string; variant?: "destructive" };

/** The toast after a round; undefined if nothing changed. A refusal comes first, because it needs a person. */
export function roundToast({ delivered, refused }: Round): RoundToast | undefined {
  const [refusal, ...moreRefused] = refused;
  if (refusal) {
    const others = moreRefused.length > 0 ? ` ${countOf(moreRefused)} more were refused too.` : "";
    return {
      title: "Error Sending Notification",
      description: `“${refusal.form.title}”: ${refusal.refusal} It stays in the list as not yet sent.${others}`,
      variant: "destructive",
    };
  }
  const [first, ...more] = delivered;
  if (!first) return undefined;
  if (more.length > 0) {
    return {
      title: "Notifications Sent",
      description: `${countOf(delivered)} notifications saved on this computer have reached the server.`,
    };
  }
  return {
    title: first.call.to === "send" ? "Notification Sent" : "Notification Scheduled",
    description: `“${first.form.title}” was saved on this computer and has now reached the server.`,
  };
}

const countOf = (entries: OutboxEntry[]) => entries.length.toLocaleString("en-US");
