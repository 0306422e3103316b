import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { groups } from "#contract/groups.ts";
import type { NotificationForm } from "#contract/notifications.ts";
import { templates } from "#contract/templates.ts";
import { users } from "#contract/users.ts";
import { useRead } from "#web/api/use-read.ts";
import { CreateNotification } from "#web/pages/create-notification.tsx";
import { startOf, type Start, type WriteSearch } from "#web/pages/write-search.ts";
import { personName } from "#web/domain/avatar.tsx";
import { toast } from "#web/ui/toast-store.ts";

/** The create dialog over any screen, as the URL asks for it (?write=new, ?write=user:12). */
export function WriteTo() {
  const write = useSearch({ strict: false, select: (search) => search.write });
  const navigate = useNavigate();
  const close = () =>
    void navigate({
      to: ".",
      search: (screen: WriteSearch) => ({ ...screen, write: undefined }),
      replace: true,
      resetScroll: false,
    });
  const start = startOf(write);
  if (start) return <WriteFrom key={write} start={start} onClose={close} />;
  return <CreateNotification open={write === "new"} onOpenChange={close} />;
}

function WriteFrom({ start, onClose }: { start: Start; onClose: () => void }) {
  const found = useStart(start);
  // Read only once. A later refresh must not close the dialog while someone is writing.
  const [initial, setInitial] = useState(found.initial);
  if (initial === undefined && found.initial !== undefined) setInitial(found.initial);
  const error = initial === undefined ? found.error : undefined;
  const giveUp = useEffectEvent((description: string) => {
    const title = start.type === "template" ? "No template to use" : "No one to message";
    toast({ title, description, variant: "destructive" });
    onClose();
  });
  useEffect(() => {
    if (error) giveUp(error);
  }, [error]);
  if (initial === undefined) return null;
  return (
    <CreateNotification
      open
      onOpenChange={onClose}
      initial={initial}
      draftName={start.type === "template" ? `from template ${start.id}` : `to ${start.type} ${start.id}`}
    />
  );
}

type Found = { initial?: Partial<NotificationForm> | undefined; error?: string | undefined };

/** What the form starts with; empty while loading. */
function useStart({ type, id }: Start): Found {
  const person = useRead(users.detail, { params: { id } }, { enabled: type === "user" });
  const group = useRead(groups.detail, { params: { id } }, { enabled: type === "group" });
  const template = useRead(templates.read, { params: { id } }, { enabled: type === "template" });
  switch (type) {
    case "user":
      return {
        initial: person.data && {
          recipientType: "individuals",
          recipients: [{ type, id, name: personName(person.data) }],
        },
        error: person.error?.message,
      };
    case "group":
      return {
        initial: group.data && { recipientType: "groups", recipients: [{ type, id, name: group.data.name }] },
        error: group.error?.message,
      };
    case "template":
      return {
        // As if it had been picked in the dialog.
        initial: template.data && {
          title: template.data.name,
          messageType: "template",
          templateId: String(id),
        },
        error: template.error?.message,
      };
    default:
      return type satisfies never;
  }
}
