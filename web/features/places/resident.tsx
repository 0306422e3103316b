import { Link } from "@tanstack/react-router";
import { ArrowRightLeft, CalendarClock, LogOut, MoreHorizontal, Trash2 } from "lucide-react";
import { useState } from "react";
import { type HomeDetail, places, type ResidencyRow } from "#contract/calls/places.ts";
import { lives, residencyRoleText, standingOn } from "#contract/homes.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { isolated } from "#contract/text/isolate.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { ChannelIcons } from "#web/domain/channel.tsx";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { homeReads } from "#web/features/places/home-reads.ts";
import { homeName } from "#web/features/places/home-text.ts";
import { MoveDialog, ResidencyDialog } from "#web/features/places/launcher.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "#web/ui/page/menu.tsx";

type Props = { home: HomeDetail; resident: ResidencyRow };

/** One person's time in a home, and what can be done about it. */
export function Resident({ home, resident }: Props) {
  const [open, setOpen] = useState<"edit" | "out" | "move" | "remove">();
  const { name, personId, role, deleted, channels } = resident;
  const standing = standingOn(home.today, resident);
  const close = () => setOpen(undefined);
  return (
    <li className="flex items-start gap-3 border-line py-2.5 not-first:border-t">
      <span className="flex min-w-0 flex-1 flex-col text-sm">
        {deleted ? (
          <bdi translate="no" className="font-semibold">
            {name}
          </bdi>
        ) : (
          <Link
            to="/users"
            search={{ person: personId }}
            className="w-fit font-semibold underline-offset-2 hover:underline touch:min-h-11 touch:content-center"
          >
            <bdi translate="no">{name}</bdi>
          </Link>
        )}
        <span className="text-ink-2">
          {deleted ? `${residencyRoleText[role]}, deleted` : residencyRoleText[role]}
        </span>
        <Days resident={resident} today={home.today} />
        {standing === "future" && lives(role) && (
          <span className="text-ink-2">{`Gets no notices for ${isolated(homeName(home.name))} before then`}</span>
        )}
      </span>
      {channels.length > 0 && standing !== "past" ? (
        <ChannelIcons channels={channels} className="size-7" />
      ) : (
        standing !== "past" && !deleted && <span className="text-sm font-medium text-bad">No channel</span>
      )}
      <Menu>
        <MenuTrigger>
          <Button
            variant="ghost"
            size="icon"
            className="-my-1.5"
            icon={<MoreHorizontal aria-hidden />}
            aria-label={`Actions for ${isolated(name)}`}
          />
        </MenuTrigger>
        <MenuContent>
          {standing !== "past" && (
            <>
              <MenuItem onSelect={() => setOpen("out")}>
                <LogOut aria-hidden />
                Move out
              </MenuItem>
              <MenuItem onSelect={() => setOpen("move")}>
                <ArrowRightLeft aria-hidden />
                Move to another home
              </MenuItem>
            </>
          )}
          <MenuItem onSelect={() => setOpen("edit")}>
            <CalendarClock aria-hidden />
            Correct role or dates
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={() => setOpen("remove")}>
            <Trash2 aria-hidden />
            Never lived here
          </MenuItem>
        </MenuContent>
      </Menu>
      <ResidencyDialog
        open={open === "edit" || open === "out"}
        onOpenChange={close}
        home={home}
        resident={resident}
        movesOut={open === "out"}
      />
      <MoveDialog open={open === "move"} onOpenChange={close} home={home} resident={resident} />
      {open === "remove" && <Remove home={home} resident={resident} onClose={close} />}
    </li>
  );
}

/** "Moved in Sun, Dec 1, 2024", "Moves out Mon, Nov 30, 2026", "Lease until …" */
function Days({
  resident: { firstDay, lastDay, leaseEnds },
  today,
}: {
  resident: ResidencyRow;
  today: string;
}) {
  const lines = [
    firstDay && `${firstDay > today ? "Moves in" : "Moved in"} ${dayText(firstDay)}`,
    lastDay && `${lastDay < today ? "Moved out" : "Moves out"} ${dayText(lastDay)}`,
    leaseEnds && `Lease until ${dayText(leaseEnds)}`,
  ].filter(Boolean);
  return lines.map((line) => (
    <span key={line} className="text-ink-2">
      {line}
    </span>
  ));
}

function Remove({ home, resident, onClose }: Props & { onClose: () => void }) {
  const write = useWrite(places.removeResidency, { refreshes: homeReads });
  const undo = useUndo();
  const { id, name, personId } = resident;
  const where = isolated(homeName(home.name));
  const remove = async () => {
    try {
      await write.mutateAsync({ params: { id } });
      toast({
        title: "Removed",
        description: `${isolated(name)} is no longer on file for ${where}.`,
        action: undo({
          make: () => call(places.undoMove, { params: { id: personId } }),
          refreshes: homeReads,
          done: { title: "Undone", description: `${isolated(name)} is on file for ${where} again.` },
        }),
      });
      onClose();
    } catch (error) {
      toast({ title: "Not removed", description: reasonOf(error), variant: "destructive" });
    }
  };
  return (
    <Confirm
      open
      danger
      onOpenChange={onClose}
      title={`Remove ${isolated(name)} from ${where}?`}
      description="Only do this if it was entered by mistake. If they have moved out, enter the date instead, so that the history stays."
      confirmLabel="Remove"
      busy={write.isPending}
      onConfirm={() => void remove()}
    />
  );
}
