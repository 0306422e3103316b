import { History } from "lucide-react";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { ago } from "#web/ui/time/format-time.ts";

/** Says that the fields contain an earlier draft, and offers to start over. */
export function DraftNote({ compose: { draft } }: { compose: Compose }) {
  if (draft.restoredFrom === null) return null;
  return (
    <div
      aria-live="polite"
      className="flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-md bg-sunk py-1 pr-1 pl-3 text-sm text-ink-2"
    >
      <History aria-hidden className="size-4 shrink-0" />
      <p className="min-w-40 flex-1 py-1">Your draft is back, written {ago(draft.restoredFrom)}.</p>
      <Button variant="ghost" size="sm" onClick={draft.askDiscard}>
        Discard
      </Button>
    </div>
  );
}

/** Asks before a draft is discarded. */
export function DiscardDraft({ compose: { form, draft } }: { compose: Compose }) {
  if (!draft.discarding) return null;
  const title = form.getValues("title").trim();
  return (
    <Confirm
      open
      onOpenChange={draft.keep}
      title={
        title ? (
          <>
            Discard “<bdi translate="no">{title}</bdi>”?
          </>
        ) : (
          "Discard this draft?"
        )
      }
      description="What you wrote here will be deleted."
      confirmLabel="Discard"
      danger
      onConfirm={draft.discard}
    />
  );
}
