import type { Unsent } from "#web/domain/unsent/unsent.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";

type Props = {
  /** Undefined while no one asks. */
  unsent: Unsent | undefined;
  onDiscard: (unsent: Unsent) => void;
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
          Discard “<bdi translate="no">{unsent.title}</bdi>”?
        </>
      }
      description={
        unsent.refusal
          ? "The server didn't accept it, so it's only in this browser. Discarding deletes it for good."
          : "It won't be sent from here. If it did reach the server, you'll see it in the list."
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
