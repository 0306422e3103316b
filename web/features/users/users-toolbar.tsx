import {
  ArrowDownUp,
  Building2,
  House,
  LogIn,
  LogOut,
  RadioTower,
  UserCog,
  Users,
  UserX,
} from "lucide-react";
import type { ReactNode } from "react";
import { roles } from "#contract/calls/auth.ts";
import { channels } from "#contract/delivery.ts";
import { groups } from "#contract/calls/groups.ts";
import { users } from "#contract/calls/users.ts";
import type { Standing } from "#contract/homes.ts";
import { callList } from "#web/api/client.ts";
import { useRead } from "#web/api/use-read.ts";
import { orders, type ListFilter, type Order, type Reachability } from "#web/features/users/list-query.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { FilterMenu } from "#web/ui/list/filter-menu.tsx";
import { FilterPicker } from "#web/ui/list/filter-picker.tsx";
import { RoleBadge, roleLook } from "#web/domain/role-badge.tsx";
import { ListToolbar } from "#web/ui/list/list-toolbar.tsx";

type Props = { filter: ListFilter; onFilter: (change: Partial<ListFilter>) => void };
type Option<Value extends string> = { value: Value; label: string; icon?: ReactNode; shown?: ReactNode };

const roleOptions = roles.map((role) => ({
  value: role,
  label: roleLook[role].label,
  shown: <RoleBadge role={role} />,
}));

const reachabilityOptions: Option<Reachability>[] = [
  ...channels.map((channel) => {
    const { label, Icon } = channelLook[channel];
    return { value: channel, label: `By ${label}`, icon: <Icon aria-hidden /> };
  }),
  { value: "nothing", label: "Not at all", icon: <UserX aria-hidden /> },
];

const livesOptions: Option<Standing>[] = [
  { value: "now", label: "Lives here", icon: <House aria-hidden /> },
  { value: "past", label: "Moved out", icon: <LogOut aria-hidden /> },
  { value: "future", label: "Moves in later", icon: <LogIn aria-hidden /> },
];

const orderOptions = Object.entries(orders)
  .filter(([order]) => order !== "name")
  .map(([order, { label }]) => ({ value: order as Order, label }));

async function searchProperties(q: string, signal: AbortSignal) {
  const { rows, total } = await callList(users.properties, { query: { q } }, { signal });
  return { total, options: rows.map(({ name, people }) => ({ key: name, label: name, count: people })) };
}

async function searchGroups(q: string, signal: AbortSignal) {
  const { rows, total } = await callList(groups.list, { query: { q, bestFirst: true } }, { signal });
  return {
    total,
    options: rows.map(({ id, name, userCount }) => ({ key: String(id), label: name, count: userCount })),
  };
}

export function UsersToolbar({ filter, onFilter }: Props) {
  const group = useRead(
    groups.detail,
    { params: { id: filter.group ?? 0 } },
    { enabled: filter.group !== undefined },
  ).data;
  return (
    <ListToolbar
      label="Search users"
      placeholder="Search users..."
      q={filter.q}
      onSearch={(q) => onFilter({ q })}
    >
      <FilterMenu
        label="Role"
        all="Any role"
        icon={<UserCog aria-hidden />}
        options={roleOptions}
        value={filter.role}
        onChange={(role) => onFilter({ role })}
      />
      <FilterPicker
        label="Property"
        all="Any property"
        icon={<Building2 aria-hidden />}
        chosen={filter.property}
        onChange={(property) => onFilter({ property })}
        search={searchProperties}
        placeholder="Search properties"
      />
      <FilterPicker
        label="Group"
        all="Any group"
        icon={<Users aria-hidden />}
        chosen={filter.group === undefined ? undefined : (group?.name ?? "One group")}
        onChange={(id) => onFilter({ group: id === undefined ? undefined : Number(id) })}
        search={searchGroups}
        placeholder="Search groups"
      />
      <FilterMenu
        label="Reachable"
        all="Reachable or not"
        icon={<RadioTower aria-hidden />}
        options={reachabilityOptions}
        value={filter.reachable}
        onChange={(reachable) => onFilter({ reachable })}
      />
      <FilterMenu
        label="Living here"
        all="Whenever they live here"
        icon={<House aria-hidden />}
        options={livesOptions}
        value={filter.lives}
        onChange={(lives) => onFilter({ lives })}
      />
      <span className="ml-auto max-md:contents">
        <FilterMenu
          label="Sort"
          all={orders.name.label}
          icon={<ArrowDownUp aria-hidden />}
          options={orderOptions}
          value={filter.sort === "name" ? undefined : filter.sort}
          onChange={(sort) => onFilter({ sort: sort ?? "name" })}
        />
      </span>
    </ListToolbar>
  );
}
