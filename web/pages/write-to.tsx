import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { groups } from "#contract/groups.ts";
import { users } from "#contract/users.ts";
import { useRead } from "#web/api/use-read.ts";
import { CreateNotification } from "#web/pages/create-notification.tsx";
import { addressee } from "#web/pages/write-search.ts";
import type { Addressee, WriteSearch } from "#web/pages/write-search.ts";
import { personName } from "#web/domain/avatar.tsx";
import { toast } from "#web/ui/toast-store.ts";

/** The create dialog over any screen, addressed to the recipient in the URL (?write=user:12). */
export function WriteTo() {
  const to = addressee(useSearch({ strict: false, select: ({ write }) => write }));
  return to ? <WriteToOne key={`${to.type}:${to.id}`} to={to} /> : null;
}

function WriteToOne({ to }: { to: Addressee }) {
  const navigate = useNavigate();
  const found = useName(to);
  // The recipient is read only once. A later refresh must not close the dialog while someone is writing.
  const [name, setName] = useState(found.name);
  if (name === undefined && found.name !== undefined) setName(found.name);
  const error = name === undefined ? found.error : undefined;
  const close = () =>
    void navigate({
      to: ".",
      search: (screen: WriteSearch) => ({ ...screen, write: undefined }),
      replace: true,
      resetScroll: false,
    });
  const giveUp = useEffectEvent((description: string) => {
    toast({ title: "No one to message", description, variant: "destructive" });
    close();
  });
  useEffect(() => {
    if (error) giveUp(error);
  }, [error]);
  if (name === undefined) return null;
  return (
    <CreateNotification
      open
      onOpenChange={close}
      initial={{
        recipientType: to.type === "group" ? "groups" : "individuals",
        recipients: [{ ...to, name }],
      }}
      draftName={`to ${to.type} ${to.id}`}
    />
  );
}

/** The label of the chip; empty while loading. */
function useName({ type, id }: Addressee): { name?: string | undefined; error?: string | undefined } {
  const person = useRead(users.detail, { params: { id } }, { enabled: type === "user" });
  const group = useRead(groups.detail, { params: { id } }, { enabled: type === "group" });
  if (type === "user") {
    return { name: person.data && personName(person.data), error: person.error?.message };
  }
  return { name: group.data?.name, error: group.error?.message };
}
