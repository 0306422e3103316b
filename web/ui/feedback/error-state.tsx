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
