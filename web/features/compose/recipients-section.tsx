import { User, Users } from "lucide-react";
import { useController, useFormContext } from "react-hook-form";
import { groups } from "#contract/groups.ts";
import type { AudienceMember, NotificationForm } from "#contract/notifications.ts";
import { users } from "#contract/users.ts";
import { callList } from "#web/api/client.ts";
import { useReadList } from "#web/api/use-read.ts";
import { Field } from "#web/ui/field.tsx";
import { MultiPicker } from "#web/ui/multi-picker.tsx";
import type { PickerOption } from "#web/ui/multi-picker.tsx";
import { Segmented } from "#web/ui/segmented.tsx";
import type { Found } from "#web/ui/use-search.ts";

const kinds = [
  { value: "groups", label: "Groups" },
  { value: "individuals", label: "Individuals" },
] as const;

type Option = PickerOption & { member: AudienceMember };

const PAGE = 50;

async function searchGroups(q: string, signal: AbortSignal): Promise<Found<Option>> {
  const { rows, total } = await callList(groups.list, { query: { q } }, { signal });
  const options = rows.map(({ id, name, description, userCount }) => ({
    ...optionOf({ type: "group", id, name }, userCount),
    detail: description,
  }));
  return { options, total };
}

async function searchUsers(q: string, signal: AbortSignal): Promise<Found<Option>> {
  const { rows, total } = await callList(users.list, { query: { q, pageSize: PAGE } }, { signal });
  const options = rows.map((user) => ({
    ...optionOf({ type: "user", id: user.id, name: `${user.firstName} ${user.lastName}`.trim() }),
    detail: [user.propertyUnit, user.email ?? user.phone].filter(Boolean).join(" · "),
  }));
  return { options, total };
}

function optionOf(member: AudienceMember, count?: number): Option {
  const Icon = member.type === "group" ? Users : User;
  return {
    key: `${member.type}:${member.id}`,
    label: member.name,
    icon: <Icon aria-hidden />,
    member,
    ...(count === undefined ? {} : { count }),
  };
}

/** Groups and people, mixed as one likes; the list is searched on the server. */
export function RecipientsSection({ disabled }: { disabled: boolean }) {
  const { control } = useFormContext<NotificationForm>();
  const kind = useController({ control, name: "recipientType" }).field;
  const { field: chosen, fieldState } = useController({ control, name: "recipients" });
  const known = useReadList(groups.list, {});
  const counts = new Map(known.data?.rows.map((group) => [group.id, group.userCount]));
  const byGroups = kind.value === "groups";
  return (
    <Field
      label="Recipients"
      required
      error={fieldState.error?.message ?? fieldState.error?.root?.message}
      aside={
        <Segmented
          label="Recipient type"
          segments={kinds}
          value={kind.value}
          disabled={disabled}
          onChange={kind.onChange}
        />
      }
    >
      {(wiring) => (
        <MultiPicker
          {...wiring}
          value={chosen.value.map((member) =>
            optionOf(member, member.type === "group" ? counts.get(member.id) : undefined),
          )}
          onChange={(options) => chosen.onChange(options.map((option) => option.member))}
          search={byGroups ? searchGroups : searchUsers}
          source={kind.value}
          placeholder={byGroups ? "Search groups" : "Search people"}
          emptyText={byGroups ? "No groups available" : "No users available"}
          disabled={disabled}
        />
      )}
    </Field>
  );
}
