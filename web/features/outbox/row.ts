import type { OutboxEntry } from "#web/features/outbox/entry.ts";

/** An entry as shown in lists. */
export type OutboxRow = OutboxEntry & {
  title: string;
  channels: OutboxEntry["form"]["channels"];
  /** The names of the chosen groups and people. */
  recipients: string;
};

export function rowOf(entry: OutboxEntry): OutboxRow {
  const { title, channels, recipients } = entry.form;
  return { ...entry, title, channels, recipients: recipients.map((one) => one.name).join(", ") };
}
