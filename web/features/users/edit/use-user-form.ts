import { useState } from "react";
import { useForm } from "react-hook-form";
import { groups } from "#contract/groups.ts";
import { users } from "#contract/users.ts";
import type { SavedUser, UserDetail } from "#contract/users.ts";
import { ApiError, call } from "#web/api/client.ts";
import { useWrite } from "#web/api/use-write.ts";
import {
  createBody,
  emptyForm,
  fieldOf,
  formOf,
  updateBody,
  userRules,
} from "#web/features/users/edit/user-form.ts";
import type { UserForm } from "#web/features/users/edit/user-form.ts";
import { personName } from "#web/ui/avatar.tsx";
import { toast } from "#web/ui/toast-store.ts";

type Options = {
  /** As it was when the dialog opened; undefined for a new person. */
  person: UserDetail | undefined;
  onSaved: () => void;
};

const refreshes = [users.list, users.detail, users.properties, users.deliveries, groups.list, groups.members];
const LONG_ENOUGH_TO_READ = 10_000;

/** One opening of the dialog: its form, saving it, and who was faster. */
export function useUserForm({ person, onSaved }: Options) {
  const [stored, setStored] = useState(person);
  const [newer, setNewer] = useState<UserDetail>();
  const form = useForm<UserForm>({
    defaultValues: stored ? formOf(stored) : emptyForm,
    resolver: (values, context, options) => userRules(stored)(values, context, options),
    mode: "onSubmit",
    reValidateMode: "onChange",
  });
  const create = useWrite(users.create, { refreshes });
  const update = useWrite(users.update, { refreshes });

  const save = form.handleSubmit(async (filled) => {
    try {
      const saved = stored
        ? await update.mutateAsync({ params: { id: stored.id }, body: updateBody(filled, stored) })
        : await create.mutateAsync({ body: createBody(filled) });
      tell(saved, stored ? "User updated" : "User created");
      onSaved();
    } catch (error) {
      await refuse(error);
    }
  });

  async function refuse(error: unknown) {
    const message = error instanceof Error ? error.message : String(error);
    const what = stored ? "update" : "create";
    toast({ variant: "destructive", title: "Error", description: `Failed to ${what} user: ${message}` });
    if (!(error instanceof ApiError)) return;
    let first = true;
    for (const [name, sentence] of Object.entries(error.fields)) {
      const field = fieldOf(name);
      if (!field) continue;
      form.setError(field, { type: "server", message: sentence }, { shouldFocus: first });
      first = false;
    }
    if (stored && first && error.code === "conflict") setNewer(await changedSince(stored));
  }

  return {
    form,
    save,
    busy: create.isPending || update.isPending,
    stored,
    /** What stands on the server since a save was refused for it; undefined while nobody was in the way. */
    newer,
    takeNewer: () => {
      if (!newer) return;
      setStored(newer);
      form.reset(formOf(newer));
      setNewer(undefined);
    },
    /** The next save writes over the newer one. */
    keepMine: () => {
      if (!newer || !stored) return;
      setStored({ ...stored, updatedAt: newer.updatedAt });
      setNewer(undefined);
    },
  };
}

function tell(saved: SavedUser, title: string) {
  const { credentials } = saved;
  const done = `${personName(saved)} was saved.`;
  if (!credentials) {
    toast({ title, description: done });
  } else if (credentials.sent) {
    toast({ title, description: credentials.message, duration: LONG_ENOUGH_TO_READ });
  } else {
    toast({
      title,
      description: `${done} The credentials were not sent: ${credentials.message}`,
      duration: LONG_ENOUGH_TO_READ,
    });
  }
}

/** A conflict is somebody else's change only where there is one. */
async function changedSince(stored: UserDetail): Promise<UserDetail | undefined> {
  try {
    const now = await call(users.detail, { params: { id: stored.id } });
    return now.updatedAt === stored.updatedAt ? undefined : now;
  } catch {
    return undefined;
  }
}
