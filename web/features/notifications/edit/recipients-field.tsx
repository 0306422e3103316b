import { User, Users } from "lucide-react";
import { groups } from "#contract/groups.ts";
import type { AudienceMember } from "#contract/notifications.ts";
import { users } from "#contract/users.ts";
import { callList } from "#web/api/client.ts";
import type { FieldWiring } from "#web/ui/field.tsx";
import { MultiPicker } from "#web/ui/multi-picker.tsx";
import type { PickerOption } from "#web/ui/multi-picker.tsx";

type Option = PickerOption & { member: AudienceMember };

type Props = FieldWiring & {
  value: readonly AudienceMember[];
  onChange: (value: AudienceMember[]) => void;
  disabled?: boolean;
};

/** Groups and people in one field, the groups first; both are searched on the server. */
export function RecipientsField({ value, onChange, ...rest }: Props) {
  return (
    <MultiPicker
      {...rest}
      value={value.map((member) => option(member))}
      onChange={(options) => onChange(options.map(({ member }) => member))}
      search={search}
      source="recipients"
      placeholder="Search groups and people"
      emptyText="No groups or users available"
    />
  );
}

function option(member: AudienceMember, more: Partial<PickerOption> = {}): Option {
  const Icon = member.type === "group" ? Users : User;
  return {
    key: `${member.type}:${member.id}`,
    label: member.name,
    icon: <Icon aria-hidden />,
    member,
    ...more,
  };
}

async function search(q: string, signal: AbortSignal) {
  const [found, persons] = await Promise.all([
    callList(groups.list, { query: { q } }, { signal }),
    callList(users.list, { query: { q, pageSize: 25 } }, { signal }),
  ]);
  const options = [
    ...found.rows.map(({ id, name, userCount }) => option({ type: "group", id, name }, { count: userCount })),
    ...persons.rows.map(({ id, firstName, lastName, email, propertyUnit }) =>
      option(
        { type: "user", id, name: `${firstName} ${lastName}` },
        { detail: [email, propertyUnit].filter(Boolean).join(" · ") },
      ),
    ),
  ];
  return { options, total: found.total + persons.total };
}
