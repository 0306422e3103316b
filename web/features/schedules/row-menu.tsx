import { FastForward, History, MoreHorizontal, Pause, Play, RotateCcw, Send, Trash2 } from "lucide-react";
import { isolated } from "#contract/text/isolate.ts";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import type { Asking } from "#web/features/schedules/confirm-action.tsx";
import { shortDay } from "#web/features/schedules/short-day.ts";
import { useActions } from "#web/features/schedules/use-actions.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "#web/ui/page/menu.tsx";

type Props = {
  schedule: Schedule;
  onAsk: (asking: Asking) => void;
  onOpen: (schedule: Schedule) => void;
};

/** More actions for a schedule. */
export function RowMenu({ schedule, onAsk, onOpen }: Props) {
  const { setActive, skip, unskip } = useActions();
  const { name, active, state, skips, nextOccurrence } = schedule;
  return (
    <Menu>
      <MenuTrigger>
        <Button
          variant="ghost"
          size="icon"
          icon={<MoreHorizontal aria-hidden />}
          aria-label={`More actions for ${isolated(name)}`}
        />
      </MenuTrigger>
      <MenuContent>
        <MenuItem onSelect={() => onOpen(schedule)}>
          <History aria-hidden />
          Details and history
        </MenuItem>
        <MenuItem onSelect={() => onAsk({ action: "run", schedule })}>
          <Send aria-hidden />
          Run now
        </MenuItem>
        {nextOccurrence && (
          <MenuItem onSelect={() => void skip(schedule, nextOccurrence)}>
            <FastForward aria-hidden />
            Skip the next one ({shortDay(nextOccurrence)})
          </MenuItem>
        )}
        {skips.map((day) => (
          <MenuItem key={day} onSelect={() => void unskip(schedule, day)}>
            <RotateCcw aria-hidden />
            Don't skip {shortDay(day)}
          </MenuItem>
        ))}
        {state !== "finished" && (
          <MenuItem onSelect={() => void setActive(schedule, !active)}>
            {active ? <Pause aria-hidden /> : <Play aria-hidden />}
            {active ? "Pause" : "Activate"}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger onSelect={() => onAsk({ action: "delete", schedule })}>
          <Trash2 aria-hidden />
          Delete
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
