import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { scheduledUses, type ScheduledUse } from "#contract/text/scheduled-uses.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Props = {
  title: string;
  /** As in "Failed to delete user group". */
  kind: string;
  name: string;
  /** "this person" */
  recipient: string;
  /** What deleting means. */
  consequence: string;
  /** `detach`: also if something is scheduled. */
  remove: (detach: boolean) => Promise<void>;
  busy: boolean;
  onClose: () => void;
};

/**
 * Asks before a person or a group is deleted, with the specified sentence. If something is scheduled for them, lists it
 * and asks a second time.
 */
export function DeleteRecipient({ title, kind, name, recipient, consequence, remove, busy, onClose }: Props) {
  const [uses, setUses] = useState<ScheduledUse[]>([]);
  const inUse = uses.length > 0;

  const onConfirm = async () => {
    try {
      await remove(inUse);
    } catch (error) {
      const found = error instanceof ApiError ? scheduledUses(error.fields) : [];
      if (found.length > 0) return setUses(found);
      const description = `Failed to delete ${kind}: ${reasonOf(error)}`;
      toast({ variant: "destructive", title: "Error", description });
    }
    onClose();
  };

  return (
    <Confirm
      // The second question replaces the first, with the focus on Cancel again.
      key={inUse ? "in use" : "first"}
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      description={
        <>
          <p>
            Are you sure you want to delete <bdi translate="no">{name}</bdi>? This action cannot be undone.
          </p>
          {inUse ? (
            <ScheduledList scheduled={uses} recipient={recipient} />
          ) : (
            <p className="mt-2 text-sm">{consequence}</p>
          )}
        </>
      }
      confirmLabel={inUse ? "Delete anyway" : "Delete"}
      danger
      busy={busy}
      onConfirm={() => void onConfirm()}
    />
  );
}

type ListProps = { scheduled: readonly ScheduledUse[]; recipient: string };

/** Notifications and schedules that the deletion would change, each with a link, and what happens to them. */
function ScheduledList({ scheduled, recipient }: ListProps) {
  const one = scheduled.length === 1;
  return (
    <>
      <p className="mt-2 text-sm">
        {one ? "This is" : "These are"} scheduled for {recipient}:
      </p>
      <ul className="scroll-quiet my-3 max-h-48 divide-y divide-line rounded-md border border-line">
        {scheduled.map(({ type, id, title }) => (
          <li key={`${type} ${id}`}>
            <Link
              {...(type === "schedule"
                ? { to: "/schedules", search: { schedule: id } }
                : { to: "/notifications/$id", params: { id: String(id) } })}
              className="flex min-h-10 items-center px-3 py-2 text-sm font-semibold break-words text-ink underline-offset-2 hover:bg-hover hover:underline"
            >
              <bdi translate="no">{title}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      <p className="text-sm">
        If you delete anyway, {one ? "this still goes" : "these still go"} to any other recipients. With no
        one left, a notification becomes a draft and a schedule is paused.
      </p>
    </>
  );
}
