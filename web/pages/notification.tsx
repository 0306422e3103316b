import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { notifications, type MessageForm } from "#contract/calls/notifications.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { useRead } from "#web/api/use-read.ts";
import { DetailSkeleton } from "#web/features/notifications/detail/detail-skeleton.tsx";
import { writtenOf } from "#web/domain/message/values.ts";
import { NotificationView } from "#web/features/notifications/detail/notification-view.tsx";
import { DetailError, DetailMissing } from "#web/features/notifications/detail/detail-trouble.tsx";
import { CreateNotification } from "#web/pages/create-notification.tsx";

export function NotificationPage() {
  const { id: text } = useParams({ from: "/notifications/$id" });
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  if (id === undefined) return <DetailMissing hint="Notification ID is missing" />;
  // Resets when another notification is opened, without carrying over a search or a half-written copy.
  return <KnownId key={id} id={id} />;
}

function KnownId({ id }: { id: number }) {
  const search = useSearch({ from: "/notifications/$id" });
  const navigate = useNavigate({ from: "/notifications/$id" });
  const [copied, setCopied] = useState<{ message: MessageForm; typed: boolean }>();
  const { data, isPending, isFetching, error, refetch } = useRead(notifications.detail, { params: { id } });
  // Rendered in short steps between which the browser can respond.
  const arrived = useDeferredValue(data !== undefined);
  if (isPending || (data && !arrived)) return <DetailSkeleton />;
  if (!data) {
    if (error instanceof ApiError && error.code === "not-found") return <DetailMissing />;
    return <DetailError detail={error?.message} busy={isFetching} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <NotificationView
        notification={data}
        search={search}
        onSearch={(next, { replace }) => void navigate({ search: next, replace, resetScroll: false })}
        onDeleted={() => void navigate({ to: "/notifications" })}
        onCopy={(message, typed) => setCopied({ message, typed })}
      />
      {copied && (
        <CreateNotification
          open
          onOpenChange={() => setCopied(undefined)}
          initial={copied.message}
          typed={copied.typed}
          written={writtenOf(data)}
          draftName={`copy of ${id}`}
        />
      )}
    </>
  );
}
