import { people } from "#contract/text/count-text.ts";
import { Clock3, ClockAlert, Minus, SkipForward, X, type LucideIcon } from "lucide-react";
import type { ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { numberText } from "#contract/text/locale.ts";
import { statusLook } from "#web/domain/status-badge.tsx";
import { Badge, type Tone } from "#web/ui/feedback/badge.tsx";

type Look = { word: string; tone: Tone; Icon: LucideIcon };

const looks: Record<Exclude<ScheduleRun["state"], "started">, Look> = {
  planned: { word: "Scheduled", tone: "quiet", Icon: Clock3 },
  passed: { word: "Saved too late to run", tone: "quiet", Icon: Minus },
  missed: { word: "Missed", tone: "bad", Icon: ClockAlert },
  failed: { word: "Failed", tone: "bad", Icon: X },
  skipped: { word: "Skipped", tone: "quiet", Icon: SkipForward },
};

/** Word, tone and icon for the outcome of a run. A run that started has the status of its notification. */
export function runLook({ state, status }: Pick<ScheduleRun, "state" | "status">): Look {
  if (state !== "started") return looks[state];
  const word = status ?? "Sending";
  return { word, ...statusLook[word] };
}

export function RunBadge({ run }: { run: Pick<ScheduleRun, "state" | "status"> }) {
  const { word, tone, Icon } = runLook(run);
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {word}
    </Badge>
  );
}

/** Whether someone still has to send or dismiss it. */
export function waits({ kind, state, dismissed }: ScheduleRun): boolean {
  return kind === "schedule" && (state === "missed" || state === "failed") && !dismissed;
}

/** It ran, and went to the Sandbox only. */
export const isSimulated = ({ state, simulated }: ScheduleRun): boolean => state === "started" && simulated;

/** "84 people", or "231 of 247 people" if others in its audience did not get it. */
export function reachedText({ people: all, reached }: Pick<ScheduleRun, "people" | "reached">): string {
  if (all === null || reached === null) return "";
  return all === reached ? people(all) : `${numberText(reached)} of ${people(all)}`;
}

/** The same where there is no room for the word: "84", "231 of 247". */
export function reachedNumbers({ people: all, reached }: Pick<ScheduleRun, "people" | "reached">): string {
  if (all === null || reached === null) return "";
  return all === reached ? numberText(all) : `${numberText(reached)} of ${numberText(all)}`;
}

/** "Delivered to 84 people", "Partially Delivered: 231 of 247 people", "Missed". */
export function outcomeText(run: ScheduleRun): string {
  const { word } = runLook(run);
  const count = run.state === "started" ? reachedText(run) : "";
  if (count === "") return word;
  return word === "Delivered" ? `${word} to ${count}` : `${word}: ${count}`;
}
