import { isolated } from "#contract/text/isolate.ts";
import { counted } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { sandboxSentence } from "#web/domain/message/sandbox-text.ts";
import type { Round } from "#web/features/outbox/deliver.ts";
import type { OutboxEntry } from "#web/features/outbox/entry.ts";

type RoundToast = { title: string; description: string; variant?: "destructive" };

/** The toast after a round; undefined if nothing changed. A refusal comes first, because it needs a person. */
export function roundToast({ delivered, refused }: Round): RoundToast | undefined {
  const [refusal, ...moreRefused] = refused;
  if (refusal) {
    const others = moreRefused.length > 0 ? ` ${numberText(moreRefused.length)} more were refused too.` : "";
    return {
      title: isSchedule(refusal) ? "Error" : "Error Sending Notification",
      description: `“${isolated(refusal.form.title)}”: ${refusal.refusal} It stays in the list as not yet sent.${others}`,
      variant: "destructive",
    };
  }
  const [first, ...more] = delivered;
  if (!first) return undefined;
  if (more.length > 0) {
    const schedules = delivered.filter((one) => isSchedule(one)).length;
    const others = delivered.length - schedules;
    const what = [
      others > 0 && counted(others, "notification"),
      schedules > 0 && counted(schedules, "schedule"),
    ].filter((part) => part !== false);
    return {
      title: others > 0 ? "Notifications Sent" : "Schedules Created",
      description: `${what.join(" and ")} saved in this browser have reached the server.${sandboxNote(delivered)}`,
    };
  }
  return {
    title: titles[first.call.to],
    description: `“${isolated(first.form.title)}” was saved in this browser and has now reached the server.${sandboxNote(delivered)}`,
  };
}

const titles = {
  send: "Notification Sent",
  create: "Notification Scheduled",
  schedule: "Schedule Created",
};
const isSchedule = ({ call }: OutboxEntry) => call.to === "schedule";

function sandboxNote(delivered: Round["delivered"]): string {
  const simulated = delivered.filter(({ sandboxOnly }) => sandboxOnly).length;
  if (simulated === 0) return "";
  if (simulated < delivered.length) return ` ${numberText(simulated)} of them went to the Sandbox only.`;
  return ` ${sandboxSentence(simulated)}`;
}
