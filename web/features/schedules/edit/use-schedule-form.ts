import { useState } from "react";
import { schedules } from "#contract/schedules.ts";
import type { Schedule } from "#contract/schedule-replies.ts";
import { mintClientKey } from "#web/api/client-key.ts";
import { call } from "#web/api/client.ts";
import { useMessageForm } from "#web/domain/message/message-form.tsx";
import { useRunsPreview } from "#web/domain/message/next-runs.tsx";
import { repeatedAnswers } from "#web/domain/message/repeated-answers.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import { readOpened, type Opened, type ToEdit } from "#web/features/schedules/edit/open-schedule.ts";
import {
  asSent,
  bodyOf,
  fieldOf,
  formOf,
  newForm,
  scheduleRules,
  whenOf,
  type ScheduleForm,
} from "#web/features/schedules/edit/schedule-form.ts";
import { scheduleReads } from "#web/features/schedules/reads.ts";

type Options = {
  opened: ToEdit;
  onSaved: () => void;
};

/** The form of an open editor, and saving it. */
export function useScheduleForm({ opened, onSaved }: Options) {
  const [stored, setStored] = useState(opened.stored);
  const [clientKey] = useState(mintClientKey);
  const { form, message } = useMessageForm<ScheduleForm>({
    defaultValues: opened.stored ? formOf(opened.stored) : newForm(opened.name),
    resolver: scheduleRules,
    repeats: () => true,
    asSent,
  });
  const saving = useSave<ScheduleForm, Schedule, Opened>({
    form,
    refreshes: scheduleReads,
    save: (filled) => {
      const body = bodyOf(filled, {
        asked: message.askedFields,
        templateClass: message.template?.class,
      });
      return stored
        ? call(schedules.update, {
            params: { id: stored.id },
            body: { ...body, updatedAt: stored.updatedAt },
          })
        : call(schedules.create, { body: { ...body, clientKey } });
    },
    saved: ({ name }) => ({
      title: stored ? "Schedule Updated" : "Schedule Created",
      description: `“${name}” was saved.`,
    }),
    failed: (reason) => ({ title: "Error", description: `Failed to save schedule: ${reason}` }),
    fieldOf,
    onSaved,
    versions: { stored, setStored, read: ({ id }) => readOpened(id), formOf },
  });
  return { form, message, saving, stored };
}

/** A preview of what the current form would do. */
export function useSchedulePreview(form: ScheduleForm, stored: Opened | undefined) {
  const byTemplate = form.messageType === "template";
  return useRunsPreview({
    ...(stored ? { scheduleId: stored.id, zone: stored.zone } : {}),
    ...whenOf(form),
    ...(byTemplate && form.templateId !== "" ? { templateId: Number(form.templateId) } : {}),
    ...(!byTemplate && form.notification ? { notificationId: form.notification.id } : {}),
    name: form.title,
    // The message form already counts the recipients.
    recipients: [],
    channels: form.channels,
    // All values, because the template's fields are unknown until it is loaded.
    fieldValues: repeatedAnswers(form, Object.keys({ ...form.fieldValues, ...form.relativeDates })),
  });
}
