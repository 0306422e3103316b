import { useState } from "react";
import { flushSync } from "react-dom";
import { isolated } from "#contract/text/isolate.ts";
import { refOf } from "#contract/recipients.ts";
import { schedules } from "#contract/calls/schedules.ts";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import { mintClientKey } from "#web/api/client-key.ts";
import { call, type Input } from "#web/api/client.ts";
import { isUnreachable } from "#web/api/unreachable.ts";
import { useMessageForm } from "#web/domain/message/message-form.tsx";
import { useRunsPreview } from "#web/domain/message/next-runs.tsx";
import { repeatedAnswers } from "#web/domain/message/repeated-answers.ts";
import { toast, type ToastInput } from "#web/ui/feedback/toast-store.ts";
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

/** A schedule that waits in this browser. */
export type KeptSchedule = { clientKey: string; form: object };

/** Where a new schedule that could not reach the server waits. */
export type OfflinePort = {
  /** "full": nothing was kept. */
  keep: (pending: {
    clientKey: string;
    body: Input<typeof schedules.create>["body"];
    form: ScheduleForm;
  }) => Promise<"kept" | "full">;
  /** The server has accepted this key, so nothing waits for it any longer. */
  settled: (clientKey: string) => void;
};

/** A server that is silent for this long counts as unreachable; the client key makes a retry safe. */
const PATIENCE = 30_000;

const offlineText = {
  kept: (name: string): ToastInput => ({
    title: "Not yet sent",
    description: `We can't reach the server. “${isolated(name)}” is saved in this browser, and it takes effect once the server has it.`,
    variant: "waiting",
    duration: 10_000,
  }),
  full: {
    title: "Error",
    description:
      "We can't reach the server, and this browser can't save the schedule. What you wrote is still here.",
    variant: "destructive",
  } satisfies ToastInput,
};

type Options = {
  opened: ToEdit;
  offline: OfflinePort;
  unsent: KeptSchedule | undefined;
  onSaved: () => void;
};

/** The form of an open editor, and saving it. */
export function useScheduleForm({ opened, offline, unsent, onSaved }: Options) {
  const [stored, setStored] = useState(opened.stored);
  const [clientKey] = useState(() => unsent?.clientKey ?? mintClientKey());
  const { form, message } = useMessageForm<ScheduleForm>({
    defaultValues: opened.stored ? formOf(opened.stored) : { ...newForm(opened.name), ...unsent?.form },
    resolver: scheduleRules,
    repeats: () => true,
    asSent,
  });
  const bodyFor = (filled: ScheduleForm) =>
    bodyOf(filled, { asked: message.savedFields, templateClass: message.template?.class });
  const saving = useSave<ScheduleForm, Schedule, Opened>({
    form,
    refreshes: scheduleReads,
    save: (filled) => {
      const body = bodyFor(filled);
      return stored
        ? call(schedules.update, {
            params: { id: stored.id },
            body: { ...body, updatedAt: stored.updatedAt },
          })
        : call(schedules.create, { body: { ...body, clientKey } }, { patience: PATIENCE });
    },
    saved: ({ name }) => ({
      title: stored ? "Schedule Updated" : "Schedule Created",
      description: `“${isolated(name)}” was saved.`,
    }),
    failed: (reason) => ({ title: "Error", description: `Failed to save schedule: ${reason}` }),
    fieldOf,
    // A change of a schedule stays in the form: what it is based on may have changed by the time it arrives.
    async instead(error, filled) {
      if (stored || !isUnreachable(error)) return false;
      const kept = await offline.keep({ clientKey, body: { ...bodyFor(filled), clientKey }, form: filled });
      toast(kept === "full" ? offlineText.full : offlineText.kept(filled.title));
      if (kept === "full") return true;
      // Closing may change the URL, and the guard must not ask about that.
      flushSync(() => form.reset(filled));
      onSaved();
      return true;
    },
    onSaved() {
      offline.settled(clientKey);
      onSaved();
    },
    versions: { stored, setStored, read: ({ id }) => readOpened(id), formOf },
  });
  return { form, message, saving, stored };
}

/** A preview of what the current form would do. */
export function useSchedulePreview(form: ScheduleForm, stored: Opened | undefined) {
  const byTemplate = form.messageType === "template";
  return useRunsPreview({
    ...(stored ? { scheduleId: stored.id, zone: stored.zone } : {}),
    ...whenOf(Number.isNaN(form.dayOffset) ? { ...form, dayOffset: 0, time: "" } : form),
    ...(byTemplate && form.templateId !== "" ? { templateId: Number(form.templateId) } : {}),
    ...(!byTemplate && form.notification ? { notificationId: form.notification.id } : {}),
    name: form.title,
    // The message form already counts the recipients. By residents' dates they decide on which days it runs.
    recipients: form.recurrence === "resident-date" ? form.recipients.map(refOf) : [],
    channels: form.channels,
    // All values, because the template's fields are unknown until it is loaded.
    fieldValues: repeatedAnswers(form, Object.keys({ ...form.fieldValues, ...form.relativeDates })),
  });
}
