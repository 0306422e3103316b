import { useState } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { counted } from "#contract/text/count-text.ts";
import { schedules } from "#contract/calls/schedules.ts";
import type { Schedule, ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { sandboxSentence } from "#web/domain/message/sandbox-text.ts";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { scheduleReads } from "#web/features/schedules/reads.ts";
import { toast, type ToastInput } from "#web/ui/feedback/toast-store.ts";

type Named = Pick<Schedule, "id" | "name">;
type Run = Pick<ScheduleRun, "scheduleId" | "name" | "occurrence">;

const started = (name: string, { sandboxOnly }: { sandboxOnly: boolean }): ToastInput => ({
  title: "Run Started",
  description: sandboxOnly ? `${isolated(name)}. ${sandboxSentence()}` : name,
});

/** One-click actions on a schedule, each with a toast. `busy` while one is running. */
export function useActions() {
  const refresh = useRefresh();
  const undo = useUndo();
  const [busy, setBusy] = useState(false);

  /** Resolves to whether it succeeded. */
  const act = async <Reply>(
    doing: string,
    make: () => Promise<Reply>,
    done: (reply: Reply) => ToastInput,
  ): Promise<boolean> => {
    setBusy(true);
    try {
      const reply = await make();
      toast(done(reply));
      return true;
    } catch (error) {
      const reason = reasonOf(error);
      toast({ title: "Error", description: `Failed to ${doing}: ${reason}`, variant: "destructive" });
      return false;
    } finally {
      // Also after a failure, because someone else may have been faster.
      void refresh(...scheduleReads);
      setBusy(false);
    }
  };
  const switched = ({ id }: Named, active: boolean) =>
    call(active ? schedules.activate : schedules.pause, { params: { id } });
  const switchedText = (active: boolean) => (active ? "Schedule Activated" : "Schedule Paused");
  const setActive = (schedule: Named, active: boolean): Promise<boolean> =>
    act(
      active ? "activate schedule" : "pause schedule",
      () => switched(schedule, active),
      () => ({
        title: switchedText(active),
        description: schedule.name,
        action: undo({
          make: () => switched(schedule, !active),
          refreshes: scheduleReads,
          done: { title: switchedText(!active), description: schedule.name },
        }),
      }),
    );
  const unskipped = ({ id }: Named, occurrence: string) =>
    call(schedules.unskip, { params: { id }, body: { occurrence } });
  return {
    busy,
    setActive,
    unskip: (schedule: Named, occurrence: string) =>
      act(
        "undo the skip",
        () => unskipped(schedule, occurrence),
        () => ({ title: "Skip Undone", description: schedule.name }),
      ),
    skip: (schedule: Named, occurrence: string) =>
      act(
        "skip the run",
        () => call(schedules.skip, { params: { id: schedule.id }, body: { occurrence } }),
        () => ({
          title: "Run Skipped",
          description: schedule.name,
          action: undo({
            make: () => unskipped(schedule, occurrence),
            refreshes: scheduleReads,
            done: { title: "Skip Undone", description: schedule.name },
          }),
        }),
      ),
    run: ({ id, name }: Named, clientKey: string) =>
      act(
        "run schedule",
        () => call(schedules.run, { params: { id }, body: { clientKey } }),
        (reply) => started(name, reply),
      ),
    sendLate: ({ id, name }: Named, people: number[]) =>
      act(
        "send it",
        () => call(schedules.sendLate, { params: { id }, body: { people } }),
        (reply) => started(name, reply),
      ),
    remove: ({ id }: Named) =>
      act(
        "delete schedule",
        () => call(schedules.remove, { params: { id } }),
        ({ message }) => ({ title: "Schedule Deleted", description: message }),
      ),
    sendMissed: ({ scheduleId, name, occurrence }: Run) =>
      act(
        "send the run",
        () => call(schedules.sendMissed, { params: { id: scheduleId, occurrence } }),
        (reply) => started(name, reply),
      ),
    dismiss: ({ scheduleId, name, occurrence }: Run) =>
      act(
        "dismiss the run",
        () => call(schedules.dismiss, { params: { id: scheduleId, occurrence } }),
        () => ({ title: "Run Dismissed", description: name }),
      ),
    dismissMissed: (until: string) =>
      act(
        "dismiss the runs",
        () => call(schedules.dismissMissed, { body: { until } }),
        ({ dismissed }) => ({
          title: "Runs Dismissed",
          description: dismissed ? counted(dismissed, "run") : "Someone has already sent or dismissed them.",
        }),
      ),
  };
}
