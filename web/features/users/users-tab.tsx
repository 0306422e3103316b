import { useState, type ReactNode } from "react";
import type { CurrentUser } from "#contract/calls/auth.ts";
import type { User } from "#contract/calls/users.ts";
import { DeleteUser } from "#web/features/users/delete-user.tsx";
import { UserDialog } from "#web/features/users/launcher.ts";
import type { ListSearch } from "#web/features/users/list-query.ts";
import type { Outcome as OutcomeOf } from "#web/features/users/person/person-deliveries.tsx";
import { PersonPanel } from "#web/features/users/person/person-panel.tsx";
import type { PersonAction } from "#web/features/users/row-menu.tsx";
import { UsersList } from "#web/features/users/users-list.tsx";

type Props = {
  actor: CurrentUser;
  search: ListSearch;
  onSearch: (search: ListSearch, options: { replace: boolean }) => void;
  adding: boolean;
  onAdding: (adding: boolean) => void;
  /** The person whose form is open. */
  editing: number | undefined;
  onEditing: (id: number | undefined) => void;
  emptyAction: ReactNode;
  Outcome: OutcomeOf;
};

/** The list, and what opens from it: details, the edit dialog, the delete confirmation. */
export function UsersTab(props: Props) {
  const { actor, search, onSearch, adding, onAdding, editing, onEditing, emptyAction, Outcome } = props;
  const [deleting, setDeleting] = useState<User>();

  const act = (action: PersonAction, person: User) => {
    if (action === "edit") onEditing(person.id);
    else if (action === "delete") setDeleting(person);
    else {
      // The menu closes before the panel opens, so the focus later returns to the row's link.
      document.querySelector<HTMLElement>(`[data-person="${person.id}"]`)?.focus();
      onSearch({ ...search, person: person.id }, { replace: false });
    }
  };
  const closePanel = () => {
    const { person: _, ...list } = search;
    onSearch(list, { replace: true });
  };

  return (
    <>
      <UsersList actor={actor} search={search} onSearch={onSearch} onAction={act} emptyAction={emptyAction} />
      {search.person !== undefined && (
        <PersonPanel
          key={search.person}
          actor={actor}
          personId={search.person}
          Outcome={Outcome}
          onAction={act}
          onClose={closePanel}
        />
      )}
      <UserDialog open={adding} onOpenChange={onAdding} actor={actor} personId={undefined} />
      <UserDialog
        open={editing !== undefined}
        onOpenChange={() => onEditing(undefined)}
        actor={actor}
        personId={editing}
      />
      {deleting && (
        <DeleteUser
          person={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={({ id }) => {
            if (search.person === id) closePanel();
          }}
        />
      )}
    </>
  );
}
