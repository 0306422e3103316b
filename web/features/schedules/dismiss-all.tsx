import { useState } from "react";
import { counted } from "#contract/text/count-text.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { useReadList, useRefresh } from "#web/api/use-read.ts";
import { useActions } from "#web/features/schedules/use-actions.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Confirm } from "#web/ui/dialog/confirm.tsx";

/** Dismisses all runs that were missed or couldn't start, as many as there are after an outage, with one question. */
export function DismissAll() {
  const [asking, setAsking] = useState(false);
  const { busy, dismissMissed } = useActions();
  const refresh = useRefresh();
  const missed = useReadList(schedules.missed, { query: { pageSize: 1 } }, { enabled: asking, fresh: true });
  const runs = missed.data?.total;
  const until = missed.data?.rows[0]?.settledAt;
  const none = runs === 0;
  return (
    <>
      <Button variant="ghost" size="sm" className="-mr-3 ml-auto" onClick={() => setAsking(true)}>
        Dismiss all runs
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={none ? "No runs are left to dismiss" : "Dismiss all runs that weren't sent?"}
        description={
          missed.isLoadingError
            ? `We couldn't count them: ${missed.error.message}`
            : none
              ? "Someone has already sent or dismissed them."
              : "They won't be sent, and no one is reminded of them again. They stay in their schedules' history."
        }
        confirmLabel={none ? null : runs ? `Dismiss ${counted(runs, "run")}` : "Dismiss"}
        confirmable={Boolean(until) && !missed.isFetching}
        cancelLabel={none ? "Close" : "Cancel"}
        busy={busy}
        onConfirm={() => {
          if (!until) return;
          // The list first: if this button goes with it, the dialog leaves the focus on the screen.
          void dismissMissed(until)
            .then(() => refresh(schedules.attention))
            .finally(() => setAsking(false));
        }}
      />
    </>
  );
}
