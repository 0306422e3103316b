import { ListFilter, UserRound } from "lucide-react";
import { auditKinds, type AuditKind } from "#contract/calls/audit-actions.ts";
import { pastPeriods } from "#contract/calls/notifications.ts";
import { users } from "#contract/calls/users.ts";
import { callList } from "#web/api/client.ts";
import { useRead } from "#web/api/use-read.ts";
import { personName } from "#web/domain/avatar.tsx";
import { PeriodFilter } from "#web/domain/period-filter.tsx";
import type { AuditFilter } from "#web/features/audit/list-query.ts";
import { FilterMenu } from "#web/ui/list/filter-menu.tsx";
import { FilterPicker } from "#web/ui/list/filter-picker.tsx";
import { SearchInput } from "#web/ui/list/search-input.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { useMedia } from "#web/ui/browser/use-media.ts";
import { useTypedSearch } from "#web/ui/list/use-typed-search.ts";

type Props = { filter: AuditFilter; onFilter: (change: Partial<AuditFilter>) => void };

const kindLabels: Record<AuditKind, string> = {
  "sign-ins": "Sign-ins",
  people: "People",
  messages: "Messages",
  settings: "Settings",
  refusals: "Refused",
  exports: "Exports",
};
const kindOptions = auditKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }));

async function searchPeople(q: string, signal: AbortSignal) {
  const { rows, total } = await callList(users.list, { query: { q, bestFirst: true } }, { signal });
  return {
    total,
    options: rows.map((person) => ({
      key: String(person.id),
      label: personName(person),
      detail: person.username,
    })),
  };
}

export function AuditToolbar({ filter, onFilter }: Props) {
  const [text, setText] = useTypedSearch(filter.q, (q) => onFilter({ q }));
  // Beside each other only where there is room for all of them.
  const wide = useMedia("(width >= 80rem)");
  const person = useRead(
    users.detail,
    { params: { id: filter.person ?? 0 } },
    { enabled: filter.person !== undefined },
  ).data;
  return (
    <div className="flex flex-wrap items-center gap-2 border-line max-md:pb-4 md:border-b md:p-3">
      <SearchInput
        slash
        label="Search the audit log"
        placeholder="Search by name..."
        value={text}
        onChange={setText}
        className="w-full md:w-auto md:min-w-48 md:flex-1 md:max-w-75"
      />
      <FilterPicker
        label="Person"
        all="Anyone"
        icon={<UserRound aria-hidden />}
        chosen={filter.person === undefined ? undefined : person ? personName(person) : "One person"}
        onChange={(id) => onFilter({ person: id === undefined ? undefined : Number(id) })}
        search={searchPeople}
        placeholder="Search people"
      />
      <PeriodFilter periods={pastPeriods} value={filter.time} onChange={(time) => onFilter({ time })} />
      {wide ? (
        <Segmented
          label="Kind of action"
          segments={[{ value: "all", label: "All" }, ...kindOptions]}
          value={filter.kind ?? "all"}
          onChange={(kind) => onFilter({ kind: kind === "all" ? undefined : kind })}
          className="ml-auto"
        />
      ) : (
        <FilterMenu
          label="Kind"
          all="Any kind"
          icon={<ListFilter aria-hidden />}
          options={kindOptions}
          value={filter.kind}
          onChange={(kind) => onFilter({ kind })}
        />
      )}
    </div>
  );
}
