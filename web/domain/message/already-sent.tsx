import { Link } from "@tanstack/react-router";
import { ApiError } from "#web/api/call-errors.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";

/** People got the same message with the same values within a day. */
export type Twice = { reason: string; notificationId: number | undefined };

/** What was sent before, if that is why the server refused; otherwise null. */
export function twiceOf(error: unknown): Twice | null {
  if (!(error instanceof ApiError) || error.code !== "already-sent") return null;
  return { reason: error.reason, notificationId: error.notificationId };
}

type Props = {
  /** Null: nothing is asked. */
  twice: Twice | null;
  busy: boolean;
  onAgain: () => void;
  onCancel: () => void;
};

/** Asks before the same values go out with the same message twice. */
export function AlreadySent({ twice, busy, onAgain, onCancel }: Props) {
  if (!twice) return null;
  const { reason, notificationId } = twice;
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onCancel();
      }}
      title="Already sent"
      description={
        <div className="flex flex-col items-start gap-2">
          <p>{reason}</p>
          {notificationId !== undefined && (
            <Link
              to="/notifications/$id"
              params={{ id: String(notificationId) }}
              // What is being written stays here.
              target="_blank"
              className="rounded-sm font-semibold text-ink underline underline-offset-4 touch:min-h-11"
            >
              See what was sent
            </Link>
          )}
        </div>
      }
      confirmLabel="Send again anyway"
      busy={busy}
      onConfirm={onAgain}
    />
  );
}
