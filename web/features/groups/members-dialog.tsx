import { people } from "#contract/text/count-text.ts";
import { Link } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import { groups } from "#contract/calls/groups.ts";
import type { User } from "#contract/calls/users.ts";
import { useRead } from "#web/api/use-read.ts";
import { MemberList, MemberRow } from "#web/features/groups/member-rows.tsx";
import { ruleText } from "#web/features/groups/group-text.ts";
import { useMembers } from "#web/features/groups/use-members.ts";
import { personName } from "#web/domain/avatar.tsx";
import { buttonClass } from "#web/ui/page/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { ReadStates, isMissing } from "#web/ui/feedback/read-states.tsx";
import { SearchInput } from "#web/ui/list/search-input.tsx";
import { Skeleton, SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { WriteLink } from "#web/domain/write-link.tsx";
import { useRecentItem } from "#web/domain/recent-items.ts";

/** "View Members": who is in a group now. */
export function MembersDialog({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const found = useRead(groups.detail, { params: { id: groupId } }, { fresh: true });
  const group = isMissing(found.error) ? undefined : found.data;
  useRecentItem("group", groupId, group?.name);
  const { read, q, text, setText, pages } = useMembers({ groupId, pageSize: 25 });
  const skeleton = <SkeletonRows rows={8} className="h-14" />;
  return (
    <Dialog
      side
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={group?.name ?? "Members"}
      description={
        group
          ? group.rule
            ? `${people(group.userCount)}. ${ruleText(group.rule)}: checked again each time you send to it.`
            : `${people(group.userCount)}, picked by hand.`
          : found.isPending && <Skeleton className="h-5 w-48" />
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
      <ReadStates
        read={found}
        failed="Error loading this group"
        missing={<EmptyState title="This group has been deleted" />}
        skeleton={skeleton}
      >
        {() => (
          <ListStates
            read={read}
            failed="Error loading members"
            skeleton={skeleton}
            empty={
              <EmptyState
                title={q ? "No matching members found" : "No one is in this group"}
                hint={q ? "We search names, usernames, emails, phone numbers and units." : undefined}
              />
            }
            pages={pages}
          >
            {(members, stale) => (
              <MemberList stale={stale}>
                {members.map((person) => (
                  <MemberRow key={person.id} person={person} name={<PersonLink person={person} />} />
                ))}
              </MemberList>
            )}
          </ListStates>
        )}
      </ReadStates>
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
      <bdi translate="no">{personName(person)}</bdi>
    </Link>
  );
}
