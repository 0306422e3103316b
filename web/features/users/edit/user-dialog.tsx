import { fullName } from "#contract/text/full-name.ts";
import type { CurrentUser } from "#contract/calls/auth.ts";
import { users, type UserDetail } from "#contract/calls/users.ts";
import { useRead } from "#web/api/use-read.ts";
import { OpeningDialog } from "#web/domain/save/opening-dialog.tsx";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { UserFields } from "#web/features/users/edit/user-fields.tsx";
import { useUserForm } from "#web/features/users/edit/use-user-form.ts";

export type UserDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  actor: CurrentUser;
  /** The person to edit; undefined for a new person. */
  personId: number | undefined;
  /** The field that needs attention; the first one if left out. */
  focusOn?: "email" | "phone" | undefined;
};

/** "Add User" and "Edit User". Loaded through launcher.ts, and remounted each time it opens. */
export default function UserDialog(props: UserDialogProps) {
  return props.personId === undefined ? (
    <FormDialog {...props} person={undefined} />
  ) : (
    <EditDialog {...props} personId={props.personId} />
  );
}

/** The person is fetched when the dialog opens, because the list may be older. */
function EditDialog(props: UserDialogProps & { personId: number }) {
  const read = useRead(users.detail, { params: { id: props.personId } }, { fresh: true });
  return (
    <OpeningDialog {...props} title="Edit User" what="this person" read={read}>
      {(person) => <FormDialog {...props} person={person} />}
    </OpeningDialog>
  );
}

function FormDialog({
  open,
  onOpenChange,
  actor,
  person,
  focusOn,
}: UserDialogProps & { person: UserDetail | undefined }) {
  const { form, saving, stored } = useUserForm({ person, onSaved: () => onOpenChange(false) });
  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={person ? "Edit User" : "Add User"}
      description={person ? fullName(person) : "A tenant, a staff member or an administrator."}
      saving={saving}
      label={person ? "Save Changes" : "Create User"}
      what="this person"
    >
      <UserFields form={form} actor={actor} stored={stored} focusOn={focusOn} />
    </SaveDialog>
  );
}
