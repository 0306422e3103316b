import { Link } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import type { User } from "#contract/users.ts";
import { ApiError } from "#web/api/client.ts";
import { useGroups } from "#web/features/groups/groups-list.tsx";
import { MemberList, MemberRow } from "#web/features/groups/member-rows.tsx";
import { people, ruleInWords } from "#web/features/groups/rule-words.ts";
import { useMembers } from "#web/features/groups/use-members.ts";
import { personName } from "#web/ui/avatar.tsx";
import { buttonClass } from "#web/ui/button.tsx";
import { cx } from "#web/ui/class-names.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Pagination } from "#web/ui/pagination.tsx";
import { SearchInput } from "#web/ui/search-input.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { WriteLink } from "#web/ui/write-link.tsx";

/** "View Members": who is in a group now. */
export function MembersDialog({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const group = useGroups().data?.rows.find(({ id }) => id === groupId);
  const { read, q, text, setText, page, pageSize, setPage } = useMembers({ groupId, pageSize: 25 });
  const { data, error } = read;
  const gone = error instanceof ApiError && error.status === 404;
  return (
    <Dialog
      side
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={group?.name ?? "Members"}
      description={
        group &&
        (group.rule
          ? `${people(group.userCount)}. ${ruleInWords(group.rule)}: decided anew whenever it is sent to.`
          : `${people(group.userCount)}, picked by hand.`)
      }
      above={
        <SearchInput label="Search members" placeholder="Search members..." value={text} onChange={setText} />
      }
      footer={
        group && (
          <>
            <Link to="/users" search={{ group: groupId }} className={buttonClass()}>
              <ListFilter aria-hidden />
              Show in the list of users
            </Link>
            <WriteLink write={`group:${groupId}`} className={buttonClass({ variant: "ink" })} />
          </>
        )
      }
    >
      {read.isPending && (
        <>
          <output className="sr-only">Loading...</output>
          <div aria-hidden className="flex flex-col gap-2">
            {Array.from({ length: 8 }, (_, index) => (
              <Skeleton key={index} className="h-14 rounded-md" />
            ))}
          </div>
        </>
      )}
      {gone && <EmptyState title="This group is not here any more" />}
      {error && !data && !gone && (
        <ErrorState
          title="Error loading members"
          detail={error.message}
          busy={read.isFetching}
          onRetry={() => void read.refetch()}
        />
      )}
      {data?.total === 0 && (
        <EmptyState
          title={q ? "No matching members found" : "Nobody is in this group"}
          hint={q ? "Names, user names, emails, phones and units are searched." : undefined}
        />
      )}
      {data && data.total > 0 && (
        <div className={cx("transition-opacity", read.isPlaceholderData && "cursor-progress")}>
          <MemberList>
            {data.rows.map((person) => (
              <MemberRow key={person.id} person={person} name={<PersonLink person={person} />} />
            ))}
          </MemberList>
          <Pagination
            shown={data.rows.length}
            total={data.total}
            noun="members"
            page={page}
            pageSize={pageSize}
            onPage={setPage}
          />
        </div>
      )}
    </Dialog>
  );
}

function PersonLink({ person }: { person: User }) {
  return (
    <Link
      to="/users"
      search={{ person: person.id }}
      className="font-semibold break-words outline-none after:absolute after:inset-0 hover:underline focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
    >
      {personName(person)}
    </Link>
  );
}
