import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { audience } from "#contract/audience.ts";
import { notifications } from "#contract/notifications.ts";
import type { NotificationDetail } from "#contract/notifications.ts";
import { templates as templateCalls } from "#contract/templates.ts";
import { ApiError, call } from "#web/api/client.ts";
import { useReadList } from "#web/api/use-read.ts";
import { notArrived, useUploads } from "#web/api/use-uploads.ts";
import { useWrite } from "#web/api/use-write.ts";
import {
  askedFields,
  bodyOf,
  editRules,
  fieldErrors,
  formOf,
} from "#web/features/notifications/edit/edit-form.ts";
import type { EditForm } from "#web/features/notifications/edit/edit-form.ts";
import { editLimits } from "#web/features/notifications/edit/attachments-field.tsx";
import { toast } from "#web/ui/toast-store.ts";
import { useZone } from "#web/ui/when.tsx";

type Options = { notification: NotificationDetail; formId: string; onSaved: () => void };

/** One opening of the edit dialog: its form, what it still asks for, and saving it. */
export function useEdit({ notification, formId, onSaved }: Options) {
  const zone = useZone();
  // What is edited stays as it was at the opening, whatever arrives on the page meanwhile.
  const [stored, setStored] = useState(notification);
  const [newer, setNewer] = useState<NotificationDetail>();
  const form = useForm<EditForm>({
    defaultValues: formOf(stored, zone),
    resolver: editRules,
    mode: "onSubmit",
    reValidateMode: "onChange",
    // The first bad field in the order of the page gets the focus, not the first one registered.
    shouldFocusError: false,
  });
  // The form always holds every field; the hook's type allows for one that does not.
  const values = useWatch({ control: form.control }) as EditForm;
  const templates = useReadList(templateCalls.list).data?.rows ?? [];
  const uploads = useUploads({
    limits: editLimits,
    present: () => form.getValues("attachments"),
    onArrived: (file) =>
      form.setValue("attachments", [...form.getValues("attachments"), file], { shouldDirty: true }),
  });
  const { list, recent, detail, update } = notifications;
  const write = useWrite(update, { refreshes: [list, recent, detail, audience.planned, audience.reach] });

  const asked = (filled: EditForm) => {
    const byTemplate = filled.messageType === "template";
    return askedFields(
      filled,
      byTemplate ? templates.find(({ id }) => String(id) === filled.templateId) : undefined,
    );
  };

  const refuse = async (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    toast({
      variant: "destructive",
      title: "Error",
      description: `Failed to update notification: ${message}`,
    });
    if (!(error instanceof ApiError)) return;
    for (const { name, message: sentence } of fieldErrors(error.fields)) {
      form.setError(name, { type: "server", message: sentence });
    }
    focusFirstError(formId);
    if (error.code === "conflict") setNewer(await newest(stored.id));
  };

  const save = form.handleSubmit(
    async (checked) => {
      if (!(await uploads.settled())) {
        form.setError("attachments", { type: "upload", message: notArrived });
        focusFirstError(formId);
        return;
      }
      const filled = { ...checked, attachments: form.getValues("attachments") };
      try {
        const body = bodyOf(filled, { stored, asked: asked(filled), zone });
        await write.mutateAsync({ params: { id: stored.id }, body });
        toast({ title: "Notification updated" });
        onSaved();
      } catch (error) {
        await refuse(error);
      }
    },
    () => focusFirstError(formId),
  );

  return {
    form,
    values,
    templates,
    asked: asked(values),
    uploads,
    busy: form.formState.isSubmitting,
    save,
    /** What stands on the server since a save was refused for it; undefined while nobody was in the way. */
    newer,
    takeNewer: () => {
      if (!newer) return;
      setStored(newer);
      form.reset(formOf(newer, zone));
      setNewer(undefined);
    },
    /** The next save writes over the newer one. */
    keepMine: () => {
      if (!newer) return;
      setStored({ ...stored, updatedAt: newer.updatedAt });
      setNewer(undefined);
    },
    /** What was typed, as a notification to be copied; what cannot be typed comes from the stored one. */
    typed(): NotificationDetail {
      const { title, channels, messageType, templateId, content, fieldValues, recipients, attachments } =
        form.getValues();
      return {
        ...stored,
        title,
        channels,
        messageType,
        content,
        fieldValues,
        attachments,
        audience: recipients,
        templateId: templateId === "" ? null : Number(templateId),
      };
    },
  };
}

/** The first bad field as a person reads the dialog, once it is drawn as bad. */
function focusFirstError(formId: string) {
  requestAnimationFrame(() =>
    document
      .getElementById(formId)
      ?.querySelector<HTMLElement>(':is([aria-invalid="true"], [data-invalid])')
      ?.focus(),
  );
}

async function newest(id: number): Promise<NotificationDetail | undefined> {
  try {
    return await call(notifications.detail, { params: { id } });
  } catch {
    toast({ variant: "destructive", title: "Error", description: "Failed to load notification details" });
    return undefined;
  }
}
