import { CircleAlert, RotateCw } from "lucide-react";
import { Button } from "#web/ui/page/button.tsx";

type Props = { title: string; detail?: string | undefined; onRetry?: () => void; busy?: boolean };

/** Says what could not be loaded and why, with a Retry button. */
export function ErrorState({ title, detail, onRetry, busy }: Props) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <span aria-hidden className="mb-4 grid size-11 place-items-center rounded-lg bg-bad-soft text-bad">
        <CircleAlert className="size-5" />
      </span>
      <p className="font-semibold">{title}</p>
      {detail && <p className="mt-1 max-w-md text-sm break-words text-ink-2">{detail}</p>}
      {onRetry && (
        <Button className="mt-5" icon={<RotateCw aria-hidden />} busy={busy} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

type Unread = { error: Error | null; isFetching: boolean; refetch: () => unknown };

/** In a question: what it needs and could not be loaded, and why. */
export function CannotLoad({ what, read }: { what: string; read: Unread }) {
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-2 rounded-md bg-bad-soft px-3 py-2.5 text-sm text-bad"
    >
      <p className="break-words">
        We couldn't load {what}: {read.error?.message}
      </p>
      <Button
        size="sm"
        icon={<RotateCw aria-hidden />}
        busy={read.isFetching}
        onClick={() => void read.refetch()}
      >
        Try again
      </Button>
    </div>
  );
}
