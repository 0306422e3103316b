import { CalendarClock, Ellipsis, FilePenLine, Send, Trash2 } from "lucide-react";
import { useWatch } from "react-hook-form";
import { people } from "#web/features/compose/reach-words.ts";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { Button } from "#web/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#web/ui/menu.tsx";

type Props = { compose: Compose; onCancel: () => void };

const draftWords = { none: "", saved: "Kept in this browser", unsaved: "This browser keeps no draft" };

/** What is kept, how many it reaches, and the three ways out. */
export function ComposeFooter({ compose, onCancel }: Props) {
  const { form, sending, draft, reach, submit, saveDraft } = compose;
  const [schedule, recipients, channels] = useWatch({
    control: form.control,
    name: ["schedule", "recipients", "channels"],
  });
  const reached = recipients.length > 0 ? reach.reach?.reached : undefined;
  const saved = draftWords[draft.state];
  const to =
    reached === undefined
      ? ""
      : channels.length === 0
        ? "Choose a channel"
        : `${saved ? "to" : "To"} ${people(reached)}`;
  const immediate = schedule === "immediate";
  return (
    <>
      <p className="min-w-0 flex-1 text-sm text-ink-3 tabular max-sm:basis-full">
        {/* Where there is no room for both, the line ends between them. */}
        <span className="inline-block">{saved && to ? `${saved} ·` : saved}</span>{" "}
        <span className="inline-block">{to}</span>
      </p>
      <Menu>
        <MenuTrigger>
          <Button size="icon" variant="ghost" aria-label="More ways to finish" disabled={sending}>
            <Ellipsis aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent side="top">
          <MenuItem onSelect={saveDraft}>
            <FilePenLine aria-hidden /> Save as draft
          </MenuItem>
          <MenuItem danger disabled={draft.state === "none"} onSelect={() => draft.askDiscard(true)}>
            <Trash2 aria-hidden /> Discard what is written
          </MenuItem>
        </MenuContent>
      </Menu>
      <Button disabled={sending} onClick={onCancel} className="max-sm:flex-1">
        Cancel
      </Button>
      <Button
        variant="ink"
        onClick={submit}
        busy={sending}
        icon={immediate ? <Send aria-hidden /> : <CalendarClock aria-hidden />}
        className="max-sm:flex-1"
      >
        {sending ? "Sending..." : immediate ? "Send Notification" : "Schedule Notification"}
      </Button>
    </>
  );
}
