import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { EDIT_ATTACHMENT_MAX, MEGABYTE } from "#contract/calls/attachments.ts";
import { audience } from "#contract/calls/audience.ts";
import { notifications, type MessageForm, type NotificationDetail } from "#contract/calls/notifications.ts";
import { call } from "#web/api/client.ts";
import { fileLimits } from "#web/api/file-limits.ts";
import { readKey } from "#web/api/use-read.ts";
import { type Twice, twiceOf } from "#web/domain/message/already-sent.tsx";
import { useMessageForm } from "#web/domain/message/message-form.tsx";
import { fieldOf } from "#web/domain/message/rules.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import {
  asSent,
  bodyOf,
  type EditForm,
  editRules,
  formOf,
} from "#web/features/notifications/edit/edit-form.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { useZone } from "#web/ui/time/when.tsx";

const files = {
  limits: fileLimits(["PDF", "JPG", "PNG", "GIF"], EDIT_ATTACHMENT_MAX),
  hint: `PDF, JPG, PNG, GIF, max ${EDIT_ATTACHMENT_MAX / MEGABYTE}MB per file`,
  none: "No attachments yet",
};
const { list, recent, detail, update } = notifications;

/** The form of an open edit dialog, and saving it. */
export function useEdit({
  notification,
  onSaved,
}: {
  notification: NotificationDetail;
  onSaved: () => void;
}) {
  const zone = useZone();
  const client = useQueryClient();
  // The notification from when the dialog was opened, regardless of later updates.
  const [stored, setStored] = useState(notification);
  const { form, message } = useMessageForm({
    defaultValues: formOf(stored, zone),
    resolver: editRules,
    files,
    ownText: true,
    repeats: ({ status }) => status === "Recurring",
    asSent: (values, clock) => asSent(values, stored, clock),
  });
  const [twice, setTwice] = useState<Twice | null>(null);
  const save = (filled: EditForm, again: { again?: true } = {}) =>
    call(update, {
      params: { id: stored.id },
      body: {
        ...bodyOf(message.withFiles(filled), {
          stored,
          asked: message.savedFields,
          zone,
          templateClass: message.template?.class,
        }),
        ...again,
      },
    });
  const saving = useSave({
    form,
    refreshes: [list, recent, detail, audience.planned, audience.reach],
    besides: message.uploads.unfinished,
    ready: message.filesArrived,
    save: (filled) => save(filled),
    saved: () => ({ title: "Notification updated" }),
    failed: (reason) => ({ title: "Error", description: `Failed to update notification: ${reason}` }),
    fieldOf,
    instead(error) {
      setTwice(twiceOf(error));
      return twiceOf(error) !== null;
    },
    onSaved: (reply) => {
      // The page is reloaded a moment later, and the dialog may be opened again before that.
      client.setQueryData(readKey(detail, { params: { id: reply.id } }), reply);
      onSaved();
    },
    versions: { stored, setStored, read: newest, formOf: (newer) => formOf(newer, zone) },
  });
  return {
    form,
    message,
    saving,
    /** The same went out before, or is planned. */
    twice,
    forgetTwice: () => setTwice(null),
    saveAgain: () => {
      setTwice(null);
      return saving.run(form.getValues(), {
        ready: message.filesArrived,
        save: (filled) => save(filled, { again: true }),
      });
    },
    /** What was typed, to be copied. A text that differs from its template becomes custom text. */
    typed: (): MessageForm => {
      const values = form.getValues();
      const changed = values.customMessage !== message.template?.content;
      if (!changed || values.messageType === "custom") return values;
      return { ...values, messageType: "custom", formatted: values.ownTemplate?.formatted ?? false };
    },
  };
}

async function newest({ id }: NotificationDetail): Promise<NotificationDetail> {
  try {
    return await call(detail, { params: { id } });
  } catch (error) {
    toast({ variant: "destructive", title: "Error", description: "Failed to load notification details" });
    throw error;
  }
}
