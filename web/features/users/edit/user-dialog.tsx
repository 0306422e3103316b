import { useQuery } from "@tanstack/react-query";
import type { CurrentUser } from "#contract/auth.ts";
import { users } from "#contract/users.ts";
import type { UserDetail } from "#contract/users.ts";
import { call } from "#web/api/client.ts";
import { readKey } from "#web/api/use-read.ts";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { UserFields } from "#web/features/users/edit/user-fields.tsx";
import { useUserForm } from "#web/features/users/edit/use-user-form.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

export type UserDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  actor: CurrentUser;
  /** Whom to edit; undefined for a new person. */
  personId: number | undefined;
};

/** "Add User" and "Edit User". Loaded through launcher.ts; mounted anew with each opening. */
export default function UserDialog(props: UserDialogProps) {
  return props.personId === undefined ? (
    <FormDialog {...props} person={undefined} />
  ) : (
    <EditDialog {...props} personId={props.personId} />
  );
}

/** What is edited is read at the opening: a list may be older than that. */
function EditDialog(props: UserDialogProps & { personId: number }) {
  const input = { params: { id: props.personId } };
  const read = useQuery({
    queryKey: readKey(users.detail, input),
    queryFn: ({ signal }) => call(users.detail, input, { signal }),
    staleTime: 0,
  });
  if (read.data && read.isFetchedAfterMount) return <FormDialog {...props} person={read.data} />;
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Edit User">
      {read.error ? (
        <ErrorState
          title="We couldn’t load this person"
          detail={read.error.message}
          busy={read.isFetching}
          onRetry={() => void read.refetch()}
        />
      ) : (
        <div className="grid gap-5 sm:grid-cols-2">
          <output className="sr-only">Loading...</output>
          {Array.from({ length: 8 }, (_, index) => (
            <Skeleton key={index} className="h-14" />
          ))}
        </div>
      )}
    </Dialog>
  );
}

function FormDialog({
  open,
  onOpenChange,
  actor,
  person,
}: UserDialogProps & { person: UserDetail | undefined }) {
  const { form, saving, stored } = useUserForm({ person, onSaved: () => onOpenChange(false) });
  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={person ? "Edit User" : "Add User"}
      description={
        person ? `${person.firstName} ${person.lastName}` : "A tenant, a staff member or an administrator."
      }
      saving={saving}
      label={person ? "Save Changes" : "Create User"}
      what="this person"
    >
      <UserFields form={form} actor={actor} stored={stored} />
    </SaveDialog>
  );
}
