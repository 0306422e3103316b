import { profileCalls } from "#contract/profile.ts";
import { ApiError, address } from "#web/api/client.ts";
import { useRead } from "#web/api/use-read.ts";
import { Badge } from "#web/ui/badge.tsx";
import { channelLook } from "#web/domain/channel.tsx";
import { shownAddress } from "#web/domain/phone-number.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { ReceivedMessage } from "#web/domain/received-message.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { When } from "#web/ui/when.tsx";

type Props = { id: number; onClose: () => void };

/** One notice as its recipient got it, including files. */
export function NoticeDialog({ id, onClose }: Props) {
  const { data, error, isFetching, refetch } = useRead(profileCalls.notice, { params: { id } });
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={data?.title ?? (error ? "Not found" : "Loading...")}
      description={
        data && (
          <>
            {channelLook[data.channel].label} to {shownAddress(data.channel, data.to) ?? data.to} ·{" "}
            <When at={data.at} as="full" />
          </>
        )
      }
    >
      {data && (
        <div className="flex flex-col gap-3">
          {data.simulated && (
            <p className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
              <Badge tone="warn">SIMULATED</Badge> This message was simulated. Nothing was really sent.
            </p>
          )}
          <ReceivedMessage
            message={data}
            fileAddress={(file) => address(profileCalls.attachment.path, { params: { id: file.id } })}
          />
        </div>
      )}
      {!data && !error && (
        <>
          <output className="sr-only">Loading...</output>
          <Skeleton className="h-80 rounded-lg" />
        </>
      )}
      {!data &&
        error &&
        (error instanceof ApiError && error.status === 404 ? (
          <EmptyState title="This notice doesn't exist" hint="Choose one from the list." />
        ) : (
          <ErrorState
            title="Error loading this notice"
            detail={error.message}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ))}
    </Dialog>
  );
}
