import { useController } from "react-hook-form";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import type { GroupDialogProps } from "#web/features/groups/edit/group-dialog.tsx";
import { MemberPicker } from "#web/features/groups/edit/member-picker.tsx";
import { RuleFields } from "#web/features/groups/edit/rule-fields.tsx";
import { useGroupForm, type StoredGroup } from "#web/features/groups/edit/use-group-form.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";

const kinds = [
  { value: "hand", label: "Picked by hand" },
  { value: "rule", label: "By rule" },
] as const;

type Props = Omit<GroupDialogProps, "groupId"> & {
  /** The group when the dialog opened; undefined for a new one. */
  group: StoredGroup | undefined;
};

export function GroupFormDialog({ open, onOpenChange, group: opened, onSaved }: Props) {
  const {
    form,
    saving,
    stored: group,
  } = useGroupForm({
    group: opened,
    onSaved(saved) {
      onOpenChange(false);
      onSaved?.(saved);
    },
  });
  const { errors } = form.formState;
  const kind = useController({ control: form.control, name: "kind" }).field;
  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={group ? "Edit Group" : "New Group"}
      description={group?.name ?? "People you message together."}
      saving={saving}
      label={group ? "Save Changes" : "Create Group"}
      what="this group"
    >
      <Field label="Group name" required error={errors.name?.message}>
        {(wiring) => <Input {...wiring} {...form.register("name")} autoComplete="off" data-autofocus />}
      </Field>
      <Field label="Description" error={errors.description?.message}>
        {(wiring) => <Input {...wiring} {...form.register("description")} autoComplete="off" />}
      </Field>
      <div className="flex flex-col gap-1.5">
        <span aria-hidden className="text-sm font-semibold">
          Members
        </span>
        <Segmented
          label="How the members are chosen"
          segments={kinds}
          value={kind.value}
          onChange={kind.onChange}
        />
        {group && kind.value !== (group.rule ? "rule" : "hand") && (
          <output className="text-sm text-warn">
            {group.rule
              ? "When you save, the rule ends and the group has only the people picked here."
              : "When you save, everyone who matches the rule replaces the people picked by hand."}
          </output>
        )}
      </div>
      {kind.value === "hand" ? (
        <MemberPicker
          form={form}
          groupId={group?.rule ? undefined : group?.id}
          memberIds={group?.memberIds ?? []}
        />
      ) : (
        <RuleFields form={form} />
      )}
    </SaveDialog>
  );
}
