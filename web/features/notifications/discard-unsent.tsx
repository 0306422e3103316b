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
          ? "The server has not taken it; it is kept in this browser only. Nothing of it will be left."
          : "It is kept in this browser only and will not be sent from here. Nothing of it will be left."
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
