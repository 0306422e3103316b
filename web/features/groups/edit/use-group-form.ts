import { isolated } from "#contract/text/isolate.ts";
import { people } from "#contract/text/count-text.ts";
import { useState } from "react";
import { groups, type Group } from "#contract/calls/groups.ts";
import { users } from "#contract/calls/users.ts";
import { call } from "#web/api/client.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import {
  bodyOf,
  fieldOf,
  groupForm,
  groupRules,
  type GroupForm,
} from "#web/features/groups/edit/group-form.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

/** A group and, if its members are picked by hand, who is in it. */
export type StoredGroup = Group & { memberIds: readonly number[] };

type Options = { group: StoredGroup | undefined; onSaved: (group: Group) => void };

const refreshes = [groups.list, groups.detail, groups.members, groups.memberIds, users.list, users.detail];

/** The form of an open group dialog, and saving it. */
export function useGroupForm({ group, onSaved }: Options) {
  const [stored, setStored] = useState(group);
  const memberIds = stored?.memberIds ?? [];
  const form = useCheckedForm<GroupForm>({
    defaultValues: groupForm(stored),
    resolver: (values, context, options) => groupRules(memberIds)(values, context, options),
  });
  const saving = useSave({
    form,
    refreshes,
    save: (filled) => {
      const body = bodyOf(filled, memberIds);
      return stored
        ? call(groups.update, { params: { id: stored.id }, body: { ...body, updatedAt: stored.updatedAt } })
        : call(groups.create, { body });
    },
    saved: ({ name, userCount }) => ({
      title: stored ? "User group updated" : "User group created",
      description: `“${isolated(name)}” has ${people(userCount)}.`,
    }),
    failed: (reason) => ({
      title: "Error",
      description: `Failed to ${stored ? "update" : "create"} user group: ${reason}`,
    }),
    fieldOf,
    onSaved,
    versions: { stored, setStored, read: ({ id }) => readGroup(id), formOf: groupForm },
  });
  return { form, saving, stored };
}

/** A group with its members: a save sends all of them, so they must be known before anything changes. */
export async function readGroup(id: number, signal?: AbortSignal): Promise<StoredGroup> {
  const input = { params: { id } };
  const options = { ...(signal && { signal }) };
  const group = await call(groups.detail, input, options);
  if (group.rule) return { ...group, memberIds: [] };
  const { userIds } = await call(groups.memberIds, input, options);
  return { ...group, memberIds: userIds };
}
