import { UsersRound } from "lucide-react";
import { groups } from "#contract/calls/groups.ts";
import { callList } from "#web/api/client.ts";
import type { FieldWiring } from "#web/ui/form/field.tsx";
import { MultiPicker, type PickerOption } from "#web/ui/form/multi-picker.tsx";
import type { Found } from "#web/ui/form/use-search.ts";

type Chosen = { id: number; name: string };
type Option = PickerOption & { group: Chosen };

function optionOf({ id, name }: Chosen): Option {
  return { key: String(id), label: name, icon: <UsersRound aria-hidden />, group: { id, name } };
}

async function search(q: string, signal: AbortSignal): Promise<Found<Option>> {
  const { rows, total } = await callList(
    groups.list,
    { query: { q, byHand: true, bestFirst: true } },
    { signal },
  );
  return {
    total,
    options: rows.map((group) => ({
      ...optionOf(group),
      detail: group.description,
      count: group.userCount,
    })),
  };
}

type Props = FieldWiring & { value: readonly Chosen[]; onChange: (groups: Chosen[]) => void };

/** Picks hand-picked groups. A rule decides who is in the others. */
export function GroupPicker({ value, onChange, ...wiring }: Props) {
  return (
    <MultiPicker<Option>
      {...wiring}
      source="hand-picked groups"
      value={value.map((group) => optionOf(group))}
      onChange={(options) => onChange(options.map(({ group }) => group))}
      search={search}
      placeholder="Search groups"
      emptyText="No hand-picked groups found"
    />
  );
}
