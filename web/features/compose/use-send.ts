import { useRef, useState } from "react";
import { notifications } from "#contract/notifications.ts";
import type { NotificationForm } from "#contract/notifications.ts";
import { ApiError, call } from "#web/api/client.ts";
import { isUnreachable } from "#web/api/unreachable.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { notArrived } from "#web/api/use-uploads.ts";
import type { Uploads } from "#web/api/use-uploads.ts";
import { questionBefore } from "#web/features/compose/ask-first.ts";
import type { Question } from "#web/features/compose/ask-first.ts";
import { callOf, draftBodyOf } from "#web/features/compose/form-call.ts";
import type { NotificationCall } from "#web/features/compose/form-call.ts";
import { askedFieldsFor } from "#web/features/compose/message-fields.ts";
import type { OfflinePort } from "#web/features/compose/offline-port.ts";
import {
  alreadyTaken,
  failureWords,
  offlineWords,
  successWords,
} from "#web/features/compose/send-outcome.ts";
import { formErrors } from "#web/features/compose/server-fields.ts";
import type { ComposeFormApi } from "#web/features/compose/use-compose.ts";
import type { Templates } from "#web/features/compose/use-message.ts";
import type { OrganisationClock } from "#web/features/compose/use-organisation-clock.ts";
import type { ReachState } from "#web/features/compose/use-reach.ts";
import { instantOf } from "#web/features/compose/zoned.ts";
import { toast } from "#web/ui/toast-store.ts";

/** A server that is silent for so long is treated as out of reach; the client key makes asking again safe. */
const PATIENCE = 30_000;

export type Send = {
  sending: boolean;
  submit: () => void;
  saveDraft: () => void;
  /** What is to be confirmed before it goes out; null when nothing is asked. */
  asking: Question | null;
  confirm: () => void;
  unask: () => void;
};

type Options = {
  form: ComposeFormApi;
  templates: Templates;
  clock: OrganisationClock | undefined;
  reach: ReachState;
  uploads: Uploads;
  clientKey: string;
  renewKey: () => void;
  offline: OfflinePort;
  onDone: () => void;
};

/** Sends, schedules, or keeps what the form holds, once; whatever fails leaves the form as it is. */
export function useSend(options: Options): Send {
  const { form, templates, clock, reach, uploads, clientKey, renewKey, offline, onDone } = options;
  const refresh = useRefresh();
  const [sending, setSending] = useState(false);
  const [asking, setAsking] = useState<Question | null>(null);
  // The state arrives with the next drawing; a second click may come before.
  const busy = useRef(false);

  /** One at a time, and the dialog knows it. */
  const alone = async (work: () => Promise<void>) => {
    if (busy.current) return;
    busy.current = true;
    setSending(true);
    try {
      await work();
    } finally {
      busy.current = false;
      setSending(false);
    }
  };

  const allArrived = async () => {
    if (await uploads.settled()) return true;
    form.setError("attachments", { type: "upload", message: notArrived });
    focusFirstError();
    return false;
  };

  const askedFor = (values: NotificationForm) => askedFieldsFor(values, templates.rows);

  const refuse = (error: unknown, title?: string) => {
    const fields = error instanceof ApiError ? formErrors(error.fields) : [];
    for (const { path, message } of fields) form.setError(path, { type: "server", message });
    if (fields.length > 0) focusFirstError();
    toast(failureWords(error, title));
  };

  const keepOffline = async (values: NotificationForm, pending: NotificationCall) => {
    const later = values.schedule === "later" && clock !== undefined;
    const kept = await offline.keep({
      clientKey,
      call: pending,
      form: values,
      plannedFor: later ? instantOf(values.scheduledDate, values.scheduledTime, clock.zone) : null,
    });
    if (kept === "full") {
      toast(offlineWords.full);
      return;
    }
    toast(offlineWords.kept(values.title));
    onDone();
  };

  const deliver = (checked: NotificationForm, confirmed: boolean) =>
    alone(async () => {
      if (!(await allArrived())) return;
      const values = { ...checked, attachments: form.getValues("attachments") };
      const question = confirmed
        ? null
        : questionBefore((await reach.fresh(values))?.reached, values.recipients);
      setAsking(question);
      if (question !== null) return;
      const pending = callOf(values, { clientKey, askedFields: askedFor(values) });
      try {
        await post(pending);
        offline.settled(clientKey);
        void refresh(notifications.list, notifications.recent);
        toast(successWords(values.schedule));
        onDone();
      } catch (error) {
        if (isUnreachable(error)) await keepOffline(values, pending);
        else if (error instanceof ApiError && error.code === "already-taken") {
          void refresh(notifications.list, notifications.recent);
          renewKey();
          toast(alreadyTaken(error.reason));
        } else refuse(error);
      }
    });

  const submitWith = (confirmed: boolean) =>
    form.handleSubmit((values) => deliver(values, confirmed), focusFirstError);

  return {
    sending,
    submit: () => void submitWith(false)(),
    asking,
    confirm: () => void submitWith(true)(),
    unask: () => setAsking(null),
    saveDraft: () =>
      void alone(async () => {
        if (!(await form.trigger(["title", "recipients", "channels"]))) {
          focusFirstError();
          return;
        }
        if (!(await allArrived())) return;
        const values = form.getValues();
        try {
          await call(notifications.create, { body: draftBodyOf(values, askedFor(values)) });
          void refresh(notifications.list, notifications.recent);
          toast({ title: "Draft Saved", description: "You find it in the list of notifications." });
          onDone();
        } catch (error) {
          refuse(error, "Error Saving Draft");
        }
      }),
  };
}

function post(pending: NotificationCall) {
  const options = { signal: AbortSignal.timeout(PATIENCE) };
  return pending.to === "send"
    ? call(notifications.send, { body: pending.body }, options)
    : call(notifications.create, { body: pending.body }, options);
}

/** The first bad field as a person reads the dialog, once it is drawn as bad. */
function focusFirstError() {
  requestAnimationFrame(() =>
    document
      .querySelector<HTMLElement>('[role="dialog"] form :is([aria-invalid="true"], [data-invalid])')
      ?.focus(),
  );
}
