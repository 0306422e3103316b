import type { Compose } from "#web/features/compose/use-compose.ts";
import { Confirm } from "#web/ui/confirm.tsx";

/** What somebody has written is thrown away only on a second word. */
export function DiscardDraft({ compose: { form, draft } }: { compose: Compose }) {
  if (!draft.discarding) return null;
  const title = form.getValues("title").trim();
  return (
    <Confirm
      open
      onOpenChange={draft.askDiscard}
      title={
        title ? (
          <>
            Discard “<bdi>{title}</bdi>”?
          </>
        ) : (
          "Discard this draft?"
        )
      }
      description="What you have written here is gone for good."
      confirmLabel="Discard"
      danger
      onConfirm={draft.discard}
    />
  );
}
