import { Link, type LinkProps } from "@tanstack/react-router";
import { Lock, MoreHorizontal, Pencil, Trash2, UsersRound, Wand2 } from "lucide-react";
import { isolated } from "#contract/text/isolate.ts";
import type { Group } from "#contract/calls/groups.ts";
import { numberText } from "#contract/text/locale.ts";
import { ruleText } from "#web/features/groups/group-text.ts";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { aboveRowLink, rowLink, type Column } from "#web/ui/list/data-table.tsx";
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from "#web/ui/page/menu.tsx";
import { WriteLink } from "#web/domain/write-link.tsx";

export type GroupAction = "edit" | "members" | "delete";

type Options = {
  /** The URL with this group's members open. */
  link: (group: Group) => Pick<LinkProps, "search"> & { "aria-current"?: "true" };
  onAction: (action: GroupAction, group: Group) => void;
};

export function groupColumns({ link, onAction }: Options): Column<Group>[] {
  return [
    {
      id: "name",
      header: "Group Name",
      card: "title",
      className: "rows:w-[28%]",
      cell: (group) => (
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link to="." resetScroll={false} {...rowLink} {...link(group)} data-group={group.id}>
            <bdi translate="no" className="break-words">
              {group.name}
            </bdi>
          </Link>
          <Kind group={group} />
        </span>
      ),
    },
    {
      id: "description",
      header: "Description",
      card: "detail",
      cell: ({ description, rule }) => (
        <span className="flex flex-col">
          {description && (
            <span className="line-clamp-2 break-words">
              <bdi translate="no">{description}</bdi>
            </span>
          )}
          {rule && !description && <span className="break-words text-ink-2">{ruleText(rule)}</span>}
        </span>
      ),
    },
    {
      id: "users",
      header: "Users",
      className: "rows:w-24 rows:snug:w-18 rows:text-right",
      cell: ({ userCount }) => numberText(userCount),
    },
    {
      id: "creator",
      header: "Created By",
      card: "start",
      className:
        "rows:w-44 rows:pl-8 rows:snug:w-34 rows:snug:pl-6 cards:text-ink-2 cards:before:content-['Created_by_']",
      cell: ({ createdBy }) => <bdi translate="no">{createdBy}</bdi>,
    },
    {
      id: "actions",
      header: "Actions",
      card: "menu",
      className: "rows:w-20 rows:text-right",
      cell: (group) => <GroupMenu group={group} onAction={onAction} />,
    },
  ];
}

function Kind({ group }: { group: Group }) {
  if (group.builtIn) return <Badge icon={<Lock aria-hidden />}>Built in</Badge>;
  if (group.rule) {
    return <Badge icon={<Wand2 aria-hidden />}>By rule</Badge>;
  }
  return null;
}

function GroupMenu({ group, onAction }: { group: Group; onAction: Options["onAction"] }) {
  return (
    <Menu>
      <MenuTrigger>
        <Button
          variant="ghost"
          size="icon"
          icon={<MoreHorizontal aria-hidden />}
          aria-label={`Actions for ${isolated(group.name)}`}
          className={aboveRowLink}
        />
      </MenuTrigger>
      <MenuContent className="max-w-64">
        <MenuItem disabled={group.builtIn} onSelect={() => onAction("edit", group)}>
          <Pencil aria-hidden />
          Edit Group
        </MenuItem>
        <MenuItem onSelect={() => onAction("members", group)}>
          <UsersRound aria-hidden />
          View Members
        </MenuItem>
        <MenuItem asChild>
          <WriteLink write={`group:${group.id}`} />
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger disabled={group.builtIn} onSelect={() => onAction("delete", group)}>
          <Trash2 aria-hidden />
          Delete Group
        </MenuItem>
        {group.builtIn && (
          <MenuLabel>Built-in group: updates automatically and can't be edited or deleted.</MenuLabel>
        )}
      </MenuContent>
    </Menu>
  );
}
