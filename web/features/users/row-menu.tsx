import { Eye, MoreHorizontal, Pencil, Trash2 } from "lucide-react";
import { isolated } from "#contract/text/isolate.ts";
import type { CurrentUser } from "#contract/calls/auth.ts";
import type { User } from "#contract/calls/users.ts";
import { changeRefusal, deleteRefusal } from "#web/features/users/who-may-change.ts";
import { personName } from "#web/domain/avatar.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { aboveRowLink } from "#web/ui/list/data-table.tsx";
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from "#web/ui/page/menu.tsx";
import { WriteLink } from "#web/domain/write-link.tsx";

export type PersonAction = "edit" | "view" | "delete";

type Props = { person: User; actor: CurrentUser; onAction: (action: PersonAction, person: User) => void };

/** Actions for one person. Disabled ones show the reason. */
export function RowMenu({ person, actor, onAction }: Props) {
  const noChange = changeRefusal(actor, person);
  const noDelete = deleteRefusal(actor, person);
  const reasons = [...new Set([noChange, noDelete])].filter(Boolean).join(" ");
  return (
    <Menu>
      <MenuTrigger>
        <Button
          variant="ghost"
          size="icon"
          icon={<MoreHorizontal aria-hidden />}
          aria-label={`Actions for ${isolated(personName(person))}`}
          className={aboveRowLink}
        />
      </MenuTrigger>
      <MenuContent className="max-w-64">
        <MenuItem disabled={Boolean(noChange)} onSelect={() => onAction("edit", person)}>
          <Pencil aria-hidden />
          Edit
        </MenuItem>
        <MenuItem onSelect={() => onAction("view", person)}>
          <Eye aria-hidden />
          View Details
        </MenuItem>
        <MenuItem asChild>
          <WriteLink write={`user:${person.id}`} />
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger disabled={Boolean(noDelete)} onSelect={() => onAction("delete", person)}>
          <Trash2 aria-hidden />
          Delete
        </MenuItem>
        {reasons && <MenuLabel>{reasons}</MenuLabel>}
      </MenuContent>
    </Menu>
  );
}
