import { useState } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { groups } from "#contract/calls/groups.ts";
import { places } from "#contract/calls/places.ts";
import { users, type SavedUser, type UserDetail } from "#contract/calls/users.ts";
import { call } from "#web/api/client.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import {
  createBody,
  emptyForm,
  fieldOf,
  formOf,
  updateBody,
  userRules,
  type UserForm,
} from "#web/features/users/edit/user-form.ts";
import { personName } from "#web/domain/avatar.tsx";
import type { ToastInput } from "#web/ui/feedback/toast-store.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

type Options = {
  /** The person when the dialog was opened; undefined for a new person. */
  person: UserDetail | undefined;
  onSaved: () => void;
};

const refreshes = [
  users.list,
  users.detail,
  users.properties,
  users.deliveries,
  groups.list,
  groups.detail,
  groups.members,
  places.home,
  places.property,
  places.unreached,
];
const LONG_ENOUGH_TO_READ = 10_000;

/** The form of an open dialog, and saving it. */
export function useUserForm({ person, onSaved }: Options) {
  const [stored, setStored] = useState(person);
  const form = useCheckedForm<UserForm>({
    defaultValues: stored ? formOf(stored) : emptyForm,
    resolver: (values, context, options) => userRules(stored)(values, context, options),
  });
  const saving = useSave({
    form,
    refreshes,
    save: (filled) =>
      stored
        ? call(users.update, { params: { id: stored.id }, body: updateBody(filled, stored) })
        : call(users.create, { body: createBody(filled) }),
    saved: (saved) => savedText(saved, stored ? "User updated" : "User created"),
    failed: (reason) => ({
      title: "Error",
      description: `Failed to ${stored ? "update" : "create"} user: ${reason}`,
    }),
    fieldOf,
    onSaved,
    versions: {
      stored,
      setStored,
      read: ({ id }) => call(users.detail, { params: { id } }),
      formOf,
    },
  });
  return { form, saving, stored };
}

/** What to tell whoever saved: a success only if what they asked for was done. */
export function savedText(saved: SavedUser, title: string): ToastInput {
  const { credentials } = saved;
  const done = `${isolated(personName(saved))} was saved.`;
  if (!credentials) return { title, description: done };
  const { sent, waits, message } = credentials;
  if (sent) return { title, description: message, duration: LONG_ENOUGH_TO_READ };
  return {
    title: waits ? title : `${title}, but no link was sent`,
    variant: waits ? "waiting" : "destructive",
    description: `${done} ${message}`,
    duration: LONG_ENOUGH_TO_READ,
  };
}
