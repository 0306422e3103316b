import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";

type Props<Data> = Pick<ComponentProps<typeof Dialog>, "open" | "onOpenChange" | "title"> & {
  read: UseQueryResult<Data>;
  /** What is being loaded, after "We couldn't load": "this person". */
  what: string;
  children: (data: Data) => ReactNode;
};

/**
 * The dialog of a form while its data loads. Data from before may be outdated, so it is shown only if it can't be loaded
 * again.
 */
export function OpeningDialog<Data>({ open, onOpenChange, title, read, what, children }: Props<Data>) {
  if (read.data !== undefined && read.isFetchedAfterMount) return children(read.data);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title}>
      {read.error ? (
        <ErrorState
          title={`We couldn't load ${what}`}
          detail={read.error.message}
          busy={read.isFetching}
          onRetry={() => void read.refetch()}
        />
      ) : (
        <div className="flex flex-col gap-5">
          <output className="sr-only">Loading...</output>
          {Array.from({ length: 5 }, (_, index) => (
            <Skeleton key={index} className="h-14" />
          ))}
        </div>
      )}
    </Dialog>
  );
}
