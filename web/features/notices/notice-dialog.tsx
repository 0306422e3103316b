import { profileCalls } from "#contract/calls/profile.ts";
import { address } from "#web/api/client.ts";
import { useRead } from "#web/api/use-read.ts";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { channelLook } from "#web/domain/channel.tsx";
import { shownAddress } from "#web/domain/phone-number.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { ReceivedMessage } from "#web/domain/received-message.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { When } from "#web/ui/time/when.tsx";

type Props = { id: number; onClose: () => void };

/** One notice as its recipient got it, including files. */
export function NoticeDialog({ id, onClose }: Props) {
  const read = useRead(profileCalls.notice, { params: { id } });
  const notice = read.data;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={notice?.title ?? "Notice"}
      description={
        notice && (
          <>
            {channelLook[notice.channel].label} to {shownAddress(notice.channel, notice.to) ?? notice.to} ·{" "}
            <When at={notice.at} as="full" />
          </>
        )
      }
    >
      <ReadStates
        read={read}
        failed="Error loading this notice"
        missing={<EmptyState title="This notice doesn't exist" hint="Choose one from the list." />}
        skeleton={<Skeleton className="h-80 rounded-lg" />}
      >
        {(message) => (
          <div className="flex flex-col gap-3">
            {message.simulated && (
              <p className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
                <Badge tone="warn">SIMULATED</Badge> This message was simulated. Nothing was really sent.
              </p>
            )}
            <ReceivedMessage
              alone
              message={message}
              fileAddress={(file) => address(profileCalls.attachment.path, { params: { id: file.id } })}
            />
          </div>
        )}
      </ReadStates>
    </Dialog>
  );
}
