import { people } from "#contract/text/count-text.ts";
import { CalendarClock, Ellipsis, FilePenLine, Send, Trash2 } from "lucide-react";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#web/ui/page/menu.tsx";

const draftText = { none: "", saved: "Kept in this browser", unsaved: "This browser can't keep a draft" };

/** Whether the draft is kept, how many people it reaches, and the three ways out. */
export function ComposeFooter({ compose }: { compose: Compose }) {
  const { form, sending, draft, message, submit, saveDraft } = compose;
  const { channels } = message.values;
  const reached = message.reach.reach?.reached;
  const saved = draftText[draft.state];
  const to =
    reached === undefined
      ? ""
      : channels.length === 0
        ? "Choose a channel"
        : `${saved ? "to" : "To"} ${people(reached)}`;
  const immediate = form.getValues("schedule") === "immediate";
  return (
    <>
      <p className="min-w-0 flex-1 text-sm text-ink-3 tabular max-sm:basis-full">
        {/* If there is no room for both, the line breaks between them. */}
        <span className="inline-block">{saved && to ? `${saved} ·` : saved}</span>{" "}
        <span className="inline-block">{to}</span>
      </p>
      <Menu>
        <MenuTrigger>
          <Button size="icon" variant="ghost" aria-label="More options" disabled={sending}>
            <Ellipsis aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent side="top">
          <MenuItem onSelect={() => void saveDraft()}>
            <FilePenLine aria-hidden /> Save as draft
          </MenuItem>
          <MenuItem danger disabled={draft.state === "none"} onSelect={draft.askDiscard}>
            <Trash2 aria-hidden /> Discard draft
          </MenuItem>
        </MenuContent>
      </Menu>
      <Button disabled={sending} onClick={compose.closing.close} className="max-sm:flex-1">
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
