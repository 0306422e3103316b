import { useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { ATTACHMENT_MAX } from "#contract/calls/attachments.ts";
import { notificationForm, type NotificationForm } from "#contract/calls/notifications.ts";
import { mintClientKey } from "#web/api/client-key.ts";
import { fileLimits } from "#web/api/file-limits.ts";
import { useMessageForm } from "#web/domain/message/message-form.tsx";
import { answersOfNextRun, recurringRule } from "#web/domain/message/repeated-answers.ts";
import { messageRules } from "#web/domain/message/rules.ts";
import { emptyForm } from "#web/domain/message/values.ts";
import type { OrganizationClock } from "#web/domain/organization-clock.ts";
import { useDiscardQuestion } from "#web/domain/save/use-discard-question.tsx";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { restoredForm } from "#web/features/compose/compose-form.ts";
import { createDrafts, draftStorage } from "#web/features/compose/drafts.ts";
import { useDraftKeeping } from "#web/features/compose/use-drafts.ts";
import { useSend } from "#web/features/compose/use-send.ts";

export type Compose = ReturnType<typeof useCompose>;

const files = { limits: fileLimits(["PNG", "JPG", "PDF"], ATTACHMENT_MAX), hint: "PNG, JPG, PDF up to 10MB" };
const composeRules = messageRules<NotificationForm>(notificationForm, ({ schedule }) => ({
  goesOut: true,
  planned: schedule === "later",
  repeats: schedule === "recurring",
}));

/** The message as the next run sends it, where it recurs. */
function asSent(form: NotificationForm, clock: OrganizationClock | undefined): NotificationForm {
  if (form.schedule !== "recurring") return form;
  const rule = clock && form.recurringTime !== "" ? recurringRule(form, clock.zone) : null;
  return { ...form, fieldValues: answersOfNextRun(form, rule, clock) };
}

/** The form of an open create dialog, its draft, and sending or saving it. */
export function useCompose(props: ComposeDialogProps) {
  const { userId, initial, typed = false, draftName = initial ? "copy" : "new", onOpenChange } = props;
  const drafts = useMemo(
    () => createDrafts({ storage: draftStorage(), userId, now: Date.now, mint: mintClientKey }),
    [userId],
  );
  const [fresh] = useState(() => restoredForm({ ...emptyForm, ...initial }));
  const [found] = useState(() => (typed ? undefined : drafts.read(draftName)));
  const [restoredFrom, setRestoredFrom] = useState(found?.savedAt ?? null);
  const [clientKey, setClientKey] = useState(() => props.clientKey ?? found?.clientKey ?? mintClientKey());
  const [refusedKeys, setRefusedKeys] = useState<string[]>([]);
  const [discarding, setDiscarding] = useState(false);
  const [discards, setDiscards] = useState(0);

  const { form, message } = useMessageForm({
    defaultValues: found?.form ?? fresh,
    resolver: composeRules,
    files,
    repeats: ({ schedule }) => schedule === "recurring",
    asSent,
  });
  const keeping = useDraftKeeping({ form, drafts, name: draftName, clientKey, found, typed });
  const send = useSend({
    form,
    message,
    clientKey,
    renewKey() {
      const key = mintClientKey();
      setRefusedKeys([...refusedKeys, clientKey]);
      setClientKey(key);
      keeping.rekey(key);
    },
    offline: props.offline,
    onSent: props.onSent,
    onDone() {
      for (const key of refusedKeys) props.offline.settled(key);
      // Closing may change the URL, and the guard must not ask about that.
      flushSync(keeping.discard);
      form.reset(emptyForm);
      onOpenChange(false);
    },
  });

  const { uploads } = message;
  const closing = useDiscardQuestion({
    // What no draft keeps would be lost, also while it is being sent: that can still fail.
    unsaved: keeping.state === "unsaved" || uploads.unfinished,
    busy: send.sending,
    ...(keeping.state !== "unsaved" && {
      title: "Close without the file?",
      what: "It hasn't been uploaded. Everything else is kept in this browser.",
    }),
    onClose() {
      // An earlier text may be kept that this one could not replace.
      if (keeping.state === "unsaved") keeping.discard();
      onOpenChange(false);
    },
  });

  return {
    ...send,
    form,
    message,
    closing,
    draft: {
      state: keeping.state,
      /** When the restored text was written; null for a dialog that started blank. */
      restoredFrom,
      written:
        props.written ?? (restoredFrom === null ? undefined : { at: restoredFrom, as: "draft" as const }),
      discarding,
      askDiscard: () => setDiscarding(true),
      keep: () => setDiscarding(false),
      /** Resets to how the dialog would open without a draft. */
      discard: () => {
        setDiscarding(false);
        setDiscards(discards + 1);
        form.reset(fresh);
        for (const upload of uploads.list) uploads.drop(upload);
        keeping.discard();
        setRestoredFrom(null);
        if (!props.clientKey) setClientKey(mintClientKey());
      },
      /** Counts the discards, to also reset what an input keeps to itself, such as a half-typed search. */
      discards,
    },
  };
}
