import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { audience } from "#contract/calls/audience.ts";
import { notifications, type NotificationForm } from "#contract/calls/notifications.ts";
import { templates } from "#contract/calls/templates.ts";
import { mintClientKey } from "#web/api/client-key.ts";
import { call } from "#web/api/client.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { isUnreachable } from "#web/api/unreachable.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { type Twice, twiceOf } from "#web/domain/message/already-sent.tsx";
import type { MessageState, Surroundings } from "#web/domain/message/message-form.tsx";
import { fieldOf } from "#web/domain/message/rules.ts";
import { instantOf } from "#web/domain/organization-clock.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import { questionBefore, type Question } from "#web/features/compose/confirm-many.tsx";
import { callOf, draftBodyOf, type NotificationCall } from "#web/features/compose/form-call.ts";
import { alreadySent, offlineText, successText } from "#web/features/compose/send-text.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

/** A server that is silent for this long counts as unreachable; the client key makes a retry safe. */
const PATIENCE = 30_000;

/** Where a notification that could not reach the server waits. */
export type OfflinePort = {
  /** "full": nothing was kept. `plannedFor` is null when it goes out as soon as the server answers. */
  keep: (pending: {
    clientKey: string;
    call: NotificationCall;
    form: NotificationForm;
    plannedFor: string | null;
  }) => Promise<"kept" | "full">;
  /** The server has accepted this key, so nothing waits for it any longer. */
  settled: (clientKey: string) => void;
};

type Options = {
  form: UseFormReturn<NotificationForm, Surroundings, NotificationForm>;
  message: MessageState;
  clientKey: string;
  renewKey: () => void;
  offline: OfflinePort;
  onSent: (() => void) | undefined;
  onDone: () => void;
};

/** The reads that a send makes stale. */
export const changed = [notifications.list, notifications.recent];

/** Sends, schedules or saves the form once; a failure leaves the form as it is. */
export function useSend({ form, message, clientKey, renewKey, offline, onSent, onDone }: Options) {
  const { savedFields: askedFields, clock } = message;
  const refresh = useRefresh();
  const navigate = useNavigate();
  // What to confirm before sending; null if there is no question.
  const [asking, setAsking] = useState<Question | null>(null);
  const [twice, setTwice] = useState<Twice | null>(null);
  const [draftKey, setDraftKey] = useState(mintClientKey);

  const callFor = (filled: NotificationForm) =>
    callOf(message.withFiles(filled), {
      clientKey,
      askedFields,
      templateVersion: message.template?.version,
      templateClass: message.template?.class,
    });

  const questionFor = async (filled: NotificationForm) => {
    const reach = await message.reach.fresh(filled);
    return questionBefore(typeof reach === "string" ? reach : reach.reached, filled.recipients);
  };

  const keepOffline = async (filled: NotificationForm) => {
    const later = filled.schedule === "later" && clock !== undefined;
    const kept = await offline.keep({
      clientKey,
      call: callFor(filled),
      form: message.withFiles(filled),
      plannedFor: later ? instantOf(filled.scheduledDate, filled.scheduledTime, clock.zone) : null,
    });
    toast(kept === "full" ? offlineText.full : offlineText.kept(filled.title));
    if (kept === "kept") onDone();
  };

  const sending = useSave({
    form,
    refreshes: changed,
    fieldOf,
    async ready(filled) {
      if (!(await message.filesArrived())) return false;
      // Pressed in the confirmation itself.
      const question = asking === null ? await questionFor(filled) : null;
      setAsking(question);
      return question === null;
    },
    save: (filled) => post(callFor(filled)),
    saved: ({ id, sandboxOnly = false }) => ({
      ...successText(form.getValues("schedule"), sandboxOnly),
      duration: 10_000,
      action: {
        label: "Open notification",
        onClick: () => void navigate({ to: "/notifications/$id", params: { id: String(id) } }),
      },
    }),
    failed: (description) => ({ title: "Error Sending Notification", description }),
    async instead(error, filled) {
      if (isUnreachable(error)) await keepOffline(filled);
      else if (twiceOf(error)) setTwice(twiceOf(error));
      else if (error instanceof ApiError && error.code === "already-taken") {
        void refresh(...changed);
        renewKey();
        toast(alreadySent(error.reason));
      } else {
        if (error instanceof ApiError && error.code === "conflict")
          void refresh(templates.list, templates.read, audience.preview);
        return false;
      }
      return true;
    },
    onSaved() {
      offline.settled(clientKey);
      onSent?.();
      onDone();
    },
  });

  return {
    sending: sending.saving,
    formProps: sending.form,
    submit: sending.submit,
    asking,
    unask: () => setAsking(null),
    /** The same went out before. */
    twice,
    forgetTwice: () => setTwice(null),
    sendAgain: () => {
      setTwice(null);
      return sending.run(form.getValues(), {
        ready: message.filesArrived,
        save: (filled) => post(callFor(filled), { again: true }),
      });
    },
    saveDraft: async () => {
      if (!(await form.trigger("title"))) return sending.focusFirstError();
      return sending.run(form.getValues(), {
        ready: message.filesArrived,
        save: (filled) =>
          call(notifications.create, {
            body: draftBodyOf(message.withFiles(filled), {
              clientKey: draftKey,
              askedFields,
              templateClass: message.template?.class,
            }),
          }),
        saved: () => ({ title: "Draft Saved", description: "You'll find it under Notifications." }),
        failed: (description) => ({ title: "Error Saving Draft", description }),
        instead(error) {
          // An earlier click has saved other text. What is typed now becomes a draft of its own at the next click.
          if (error instanceof ApiError && error.code === "already-taken") setDraftKey(mintClientKey());
          return false;
        },
        onSaved: onDone,
      });
    },
  };
}

/** `again`: although the same went out before. */
function post(
  pending: NotificationCall,
  again: { again?: true } = {},
): Promise<{ id: number; sandboxOnly?: boolean }> {
  const options = { patience: PATIENCE };
  return pending.to === "send"
    ? call(notifications.send, { body: { ...pending.body, ...again } }, options)
    : call(notifications.create, { body: { ...pending.body, ...again } }, options);
}
