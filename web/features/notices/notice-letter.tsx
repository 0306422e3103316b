import { Download, FileText } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { profileCalls } from "#contract/calls/profile.ts";
import { shell } from "#contract/calls/shell.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { readableSize } from "#contract/text/file-size.ts";
import { address } from "#web/api/client.ts";
import { useRead } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { useCompanyLogo } from "#web/domain/company-logo.ts";
import { LetterBody } from "#web/features/notices/letter-body.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { When } from "#web/ui/time/when.tsx";

type Notice = ReplyOf<typeof profileCalls.notice>;

/** One notice. Once its reader sees it, it counts as read. */
export function useNotice(id: number) {
  const read = useRead(profileCalls.notice, { params: { id } });
  const { mutate } = useWrite(profileCalls.openNotice, { refreshes: [profileCalls.notices] });
  const unread = read.data?.read === false;
  useEffect(() => {
    if (unread) mutate({ params: { id } });
  }, [unread, id, mutate]);
  return read;
}

type Props = {
  read: ReturnType<typeof useNotice>;
  /** Its title, where nothing above shows it. */
  heading?: ReactNode;
};

/** A notice as a letter from the landlord, with its files and how it came. */
export function NoticeLetter({ read, heading }: Props) {
  return (
    <ReadStates
      read={read}
      failed="Error loading this notice"
      missing={<EmptyState title="This notice doesn't exist" hint="Choose one from the list." />}
      skeleton={<Skeleton className="h-80 rounded-lg" />}
    >
      {(notice) => (
        <>
          <article className="rounded-lg border border-line bg-card p-5 shadow-card sm:p-8">
            <Letterhead at={notice.at} />
            {heading}
            <LetterBody html={notice.html} text={notice.text} />
            <Files notice={notice} />
          </article>
          <ul className="flex flex-wrap gap-x-5 gap-y-1 px-5 pt-3 text-sm text-ink-2 sm:px-8">
            {notice.ways.map(({ channel, sentence }) => {
              const { label, Icon } = channelLook[channel];
              return (
                <li key={channel} className="flex items-center gap-1.5">
                  <Icon aria-hidden className="size-4 shrink-0" />
                  <span>{`${label}: ${sentence}`}</span>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </ReadStates>
  );
}

function Letterhead({ at }: { at: string }) {
  const logo = useCompanyLogo();
  const { data } = useRead(shell.state);
  return (
    <div className="mb-5 flex items-center gap-3 border-b border-line pb-4">
      {logo && <img src={logo} alt="" className="h-10 max-w-40 rounded-lg object-contain" />}
      <div className="min-w-0">
        <p className="font-semibold break-words">
          <bdi translate="no">{data?.siteName}</bdi>
        </p>
        <p className="text-sm text-ink-2">
          <When at={at} as="full" />
        </p>
      </div>
    </div>
  );
}

function Files({ notice: { attachments } }: { notice: Notice }) {
  if (attachments.length === 0) return null;
  return (
    <ul aria-label="Files" className="mt-6 rounded-lg border border-line">
      {attachments.map((file) => (
        <li key={file.id} className="not-first:border-t not-first:border-line">
          <a
            href={address(profileCalls.attachment.path, { params: { id: file.id } })}
            download={file.name}
            className="flex min-h-12 items-center gap-3 rounded-lg px-4 py-2 hover:bg-hover"
          >
            <FileText aria-hidden className="size-5 shrink-0 text-ink-2" />
            <bdi translate="no" className="min-w-0 flex-1 truncate font-medium">
              {file.name}
            </bdi>
            <span className="text-sm whitespace-nowrap text-ink-2">{readableSize(file.size)}</span>
            <Download aria-hidden className="size-5 shrink-0 text-ink-2" />
          </a>
        </li>
      ))}
    </ul>
  );
}
