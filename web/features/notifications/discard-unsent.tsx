import type { UnsentNotification } from "#web/features/notifications/unsent.ts";
import { Confirm } from "#web/ui/confirm.tsx";

type Props = {
  /** Undefined while nobody asks. */
  unsent: UnsentNotification | undefined;
  onDiscard: (unsent: UnsentNotification) => void;
  onClose: () => void;
};

export function DiscardUnsent({ unsent, onDiscard, onClose }: Props) {
  if (!unsent) return null;
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={
        <>
          Discard “<bdi>{unsent.title}</bdi>”?
        </>
      }
      description={
        unsent.refusal
          ? "The server would not take it as it stands; it is kept in this browser only. Nothing of it will be left."
          : "It will not be sent from here any more. Should the server have taken it without this browser hearing of it, you find it in the list."
      }
      confirmLabel="Discard"
      danger
      onConfirm={() => {
        onDiscard(unsent);
        onClose();
      }}
    />
  );
}
