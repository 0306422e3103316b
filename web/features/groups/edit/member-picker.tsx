import { isolated } from "#contract/text/isolate.ts";
import { people } from "#contract/text/count-text.ts";
import { User } from "lucide-react";
import { useController, type UseFormReturn } from "react-hook-form";
import { users, type User as Person } from "#contract/calls/users.ts";
import { callList } from "#web/api/client.ts";
import { memberIdsAfter, type GroupForm, type Member } from "#web/features/groups/edit/group-form.ts";
import { MemberList, MemberRow, memberDetail } from "#web/features/groups/member-rows.tsx";
import { useMembers } from "#web/features/groups/use-members.ts";
import { personName } from "#web/domain/avatar.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Field } from "#web/ui/form/field.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { MultiPicker, type PickerOption } from "#web/ui/form/multi-picker.tsx";
import { SearchInput } from "#web/ui/list/search-input.tsx";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";

type Option = PickerOption & { member: Member };
const FOUND = 50;

const optionOf = (member: Member): Option => ({
  key: String(member.id),
  label: member.name,
  detail: member.detail,
  icon: <User aria-hidden />,
  member,
});
const memberOf = (person: Person): Member => ({
  id: person.id,
  name: personName(person),
  detail: memberDetail(person),
});

type Props = {
  form: UseFormReturn<GroupForm>;
  /** The group whose members are shown; undefined for a group that has none. */
  groupId: number | undefined;
  memberIds: readonly number[];
};

/**
 * Added people are chips; existing members, perhaps thousands, are in a searchable, paged list with a button to remove
 * each.
 */
export function MemberPicker({ form, groupId, memberIds }: Props) {
  const { field: added, fieldState } = useController({ control: form.control, name: "added" });
  const { field: removed } = useController({ control: form.control, name: "removed" });
  const after = memberIdsAfter(memberIds, { added: added.value, removed: removed.value }).length;

  async function search(q: string, signal: AbortSignal) {
    const { rows, total } = await callList(
      users.list,
      { query: { q, bestFirst: true, pageSize: FOUND } },
      { signal },
    );
    const members = new Set(memberIds);
    const others = rows.filter(({ id }) => !members.has(id));
    return {
      options: others.map((person) => optionOf(memberOf(person))),
      total: total - (rows.length - others.length),
    };
  }

  return (
    <>
      <Field
        label="Add people"
        error={fieldState.error?.message ?? fieldState.error?.root?.message}
        hint={`${people(after)} in the group once it is saved.`}
      >
        {(wiring) => (
          <MultiPicker
            {...wiring}
            value={added.value.map((member) => optionOf(member))}
            onChange={(options) => added.onChange(options.map(({ member }) => member))}
            search={search}
            source="people"
            placeholder="Search people"
            emptyText="No users available"
          />
        )}
      </Field>
      {groupId !== undefined && memberIds.length > 0 && (
        <CurrentMembers groupId={groupId} removed={removed.value} onRemoved={removed.onChange} />
      )}
    </>
  );
}

type CurrentProps = {
  groupId: number;
  removed: readonly number[];
  onRemoved: (removed: number[]) => void;
};

const PAGE_SIZE = 8;

function CurrentMembers({ groupId, removed, onRemoved }: CurrentProps) {
  const { read, q, text, setText, pages } = useMembers({ groupId, pageSize: PAGE_SIZE });
  const out = new Set(removed);
  return (
    <section aria-label="Current members" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">Current members</h3>
        {out.size > 0 && <output className="text-sm text-warn">{`${people(out.size)} to be removed`}</output>}
      </div>
      <SearchInput label="Search members" placeholder="Search members..." value={text} onChange={setText} />
      <ListStates
        read={read}
        failed="Error loading members"
        skeleton={<SkeletonRows rows={PAGE_SIZE} className="h-14" />}
        empty={
          <p className="py-3 text-sm text-ink-2">
            {q ? `No one matches “${isolated(q)}”.` : "Everyone has been removed."}
          </p>
        }
        pages={pages}
      >
        {(members, stale) => (
          <MemberList stale={stale}>
            {members.map((person) => (
              <CurrentMember
                key={person.id}
                person={person}
                out={out.has(person.id)}
                onOut={(goes) =>
                  onRemoved(goes ? [...removed, person.id] : removed.filter((id) => id !== person.id))
                }
              />
            ))}
          </MemberList>
        )}
      </ListStates>
    </section>
  );
}

type MemberProps = {
  person: Person;
  /** Is removed with the next save. */
  out: boolean;
  onOut: (out: boolean) => void;
};

function CurrentMember({ person, out, onOut }: MemberProps) {
  const name = personName(person);
  return (
    <MemberRow
      person={person}
      name={<span className={cx("font-medium break-words", out && "text-ink-3 line-through")}>{name}</span>}
    >
      <Button
        size="sm"
        variant={out ? "outline" : "ghost"}
        aria-label={`${out ? "Keep" : "Remove"} ${isolated(name)}`}
        onClick={() => onOut(!out)}
      >
        {out ? "Keep" : "Remove"}
      </Button>
    </MemberRow>
  );
}
