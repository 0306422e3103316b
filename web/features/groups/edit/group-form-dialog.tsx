import { useId } from "react";
import { useController } from "react-hook-form";
import type { GroupDialogProps } from "#web/features/groups/edit/group-dialog.tsx";
import { MemberPicker } from "#web/features/groups/edit/member-picker.tsx";
import { RuleFields } from "#web/features/groups/edit/rule-fields.tsx";
import { useGroupForm } from "#web/features/groups/edit/use-group-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Input } from "#web/ui/input.tsx";
import { Segmented } from "#web/ui/segmented.tsx";

const kinds = [
  { value: "hand", label: "Picked by hand" },
  { value: "rule", label: "By rule" },
] as const;

type Props = GroupDialogProps & {
  /** Who is in it at the opening, where they are picked by hand. */
  memberIds: readonly number[];
};

export function GroupFormDialog({ open, onOpenChange, group, onSaved, memberIds }: Props) {
  const formId = useId();
  const { form, save, busy } = useGroupForm({
    group,
    memberIds,
    onSaved(saved) {
      onOpenChange(false);
      onSaved?.(saved);
    },
  });
  const { errors } = form.formState;
  const kind = useController({ control: form.control, name: "kind" }).field;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!busy) onOpenChange(next);
      }}
      title={group ? "Edit Group" : "New Group"}
      description={group?.name ?? "People you write to together."}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)} disabled={busy}>
            Cancel
          </Button>
          <Button variant="ink" type="submit" form={formId} busy={busy}>
            {group ? "Save Changes" : "Create Group"}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-5">
        <Field label="Group name" required error={errors.name?.message}>
          {(wiring) => (
            <Input {...wiring} {...form.register("name")} disabled={busy} autoComplete="off" data-autofocus />
          )}
        </Field>
        <Field label="Description" error={errors.description?.message}>
          {(wiring) => (
            <Input {...wiring} {...form.register("description")} disabled={busy} autoComplete="off" />
          )}
        </Field>
        <div className="flex flex-col gap-1.5">
          <span aria-hidden className="text-sm font-semibold">
            Members
          </span>
          <Segmented
            label="How the members are chosen"
            segments={kinds}
            value={kind.value}
            disabled={busy}
            onChange={kind.onChange}
          />
          {group && kind.value !== (group.rule ? "rule" : "hand") && (
            <output className="text-sm text-warn">
              {group.rule
                ? "Saved like this, the rule is gone and the group has only the people picked here."
                : "Saved like this, the people picked by hand are replaced by whoever fits the rule."}
            </output>
          )}
        </div>
        {kind.value === "hand" ? (
          <MemberPicker
            form={form}
            groupId={group?.rule ? undefined : group?.id}
            memberIds={memberIds}
            disabled={busy}
          />
        ) : (
          <RuleFields form={form} disabled={busy} />
        )}
      </form>
    </Dialog>
  );
}
