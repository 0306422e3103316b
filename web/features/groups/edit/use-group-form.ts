import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { groups } from "#contract/groups.ts";
import type { Group } from "#contract/groups.ts";
import { users } from "#contract/users.ts";
import { ApiError } from "#web/api/client.ts";
import { refresh } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { bodyOf, fieldOf, groupForm, groupRules } from "#web/features/groups/edit/group-form.ts";
import type { GroupForm } from "#web/features/groups/edit/group-form.ts";
import { people } from "#web/features/groups/rule-words.ts";
import { toast } from "#web/ui/toast-store.ts";

type Options = {
  group: Group | undefined;
  memberIds: readonly number[];
  onSaved: (group: Group) => void;
};

const refreshes = [groups.list, groups.members, groups.memberIds, users.list, users.detail];

/** One opening of the group's dialog: its form and saving it. */
export function useGroupForm({ group, memberIds, onSaved }: Options) {
  const client = useQueryClient();
  // As the form opened: a list that is read again meanwhile must not make an old form look new.
  const [updatedAt] = useState(group?.updatedAt);
  const form = useForm<GroupForm>({
    defaultValues: groupForm(group),
    resolver: groupRules(memberIds),
    mode: "onSubmit",
    reValidateMode: "onChange",
  });
  const create = useWrite(groups.create, { refreshes });
  const update = useWrite(groups.update, { refreshes });

  const save = form.handleSubmit(async (filled) => {
    const body = bodyOf(filled, memberIds);
    try {
      const saved = group
        ? await update.mutateAsync({ params: { id: group.id }, body: { ...body, updatedAt } })
        : await create.mutateAsync({ body });
      toast({
        title: group ? "User group updated" : "User group created",
        description: `“${saved.name}” has ${people(saved.userCount)}.`,
      });
      onSaved(saved);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      toast({
        variant: "destructive",
        title: "Error",
        description: `Failed to ${group ? "update" : "create"} user group: ${message}`,
      });
      if (!(error instanceof ApiError)) return;
      // Opened once more, the dialog begins with what somebody else saved.
      if (error.code === "conflict") void refresh(client, ...refreshes);
      let first = true;
      for (const [path, sentence] of Object.entries(error.fields)) {
        const name = fieldOf(path);
        if (!name) continue;
        form.setError(name, { type: "server", message: sentence }, { shouldFocus: first });
        first = false;
      }
    }
  });

  return { form, save, busy: create.isPending || update.isPending };
}
