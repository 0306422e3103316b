import { zodResolver } from "@hookform/resolvers/zod";
import { details, labelBody } from "#contract/calls/details.ts";
import { call } from "#web/api/client.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import type { KeptDetail } from "#web/features/users/details/details-dialog.tsx";
import { refreshes } from "#web/features/users/details/kinds.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";
import { Button } from "#web/ui/page/button.tsx";

/** In the place of the detail's row. */
export function RenameDetail({ detail, onClose }: { detail: KeptDetail; onClose: () => void }) {
  const form = useCheckedForm<{ label: string }>({
    resolver: zodResolver(labelBody),
    defaultValues: { label: detail.label },
  });
  const saving = useSave({
    form,
    refreshes,
    save: (body) => call(details.update, { params: { id: detail.id }, body }),
    saved: () => ({
      title: "Detail renamed",
      description: `Messages still write {{${detail.field}}}.`,
    }),
    failed: (description) => ({ title: "The detail was not renamed", description }),
    fieldsOnly: true,
    onSaved: onClose,
  });
  return (
    <form {...saving.form} className="flex flex-1 flex-wrap items-end gap-2">
      <Field label="Name" error={form.formState.errors.label?.message} className="min-w-48 flex-1">
        {(wiring) => <Input {...wiring} {...form.register("label")} autoComplete="off" data-autofocus />}
      </Field>
      <Button type="submit" busy={saving.saving}>
        Rename
      </Button>
      <Button variant="ghost" onClick={onClose}>
        Cancel
      </Button>
    </form>
  );
}
