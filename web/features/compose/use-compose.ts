import { useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import type { NotificationForm } from "#contract/notifications.ts";
import { useUploads } from "#web/api/use-uploads.ts";
import type { Uploads } from "#web/api/use-uploads.ts";
import { attachmentLimits } from "#web/features/compose/attachment-limits.ts";
import { mintClientKey } from "#web/features/compose/client-key.ts";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { createDrafts, draftStorage } from "#web/features/compose/drafts.ts";
import { emptyForm, restoredForm } from "#web/features/compose/form.ts";
import { composeRules } from "#web/features/compose/rules.ts";
import type { RulesContext } from "#web/features/compose/rules.ts";
import { useDraftKeeping } from "#web/features/compose/use-drafts.ts";
import type { DraftState } from "#web/features/compose/use-drafts.ts";
import { useMessage, useTemplates } from "#web/features/compose/use-message.ts";
import type { Message } from "#web/features/compose/use-message.ts";
import { useOrganisationClock } from "#web/features/compose/use-organisation-clock.ts";
import type { OrganisationClock } from "#web/features/compose/use-organisation-clock.ts";
import { usePreview } from "#web/features/compose/use-preview.ts";
import type { PreviewState } from "#web/features/compose/use-preview.ts";
import { useReach } from "#web/features/compose/use-reach.ts";
import type { ReachState } from "#web/features/compose/use-reach.ts";
import { useSend } from "#web/features/compose/use-send.ts";
import type { Send } from "#web/features/compose/use-send.ts";

export type ComposeFormApi = UseFormReturn<NotificationForm, RulesContext, NotificationForm>;

export type Compose = Send & {
  form: ComposeFormApi;
  message: Message;
  clock: OrganisationClock | undefined;
  reach: ReachState;
  preview: PreviewState;
  uploads: Uploads;
  draft: {
    state: DraftState;
    /** When the text was written that came back with this opening; null for a dialog that started blank. */
    restoredFrom: string | null;
    /** Whether it is to be thrown away is being asked. */
    discarding: boolean;
    askDiscard: (ask: boolean) => void;
    /** Back to how the dialog would open without a draft. */
    discard: () => void;
    /** Counts the discards: what an input keeps to itself, such as a half-typed search, goes as well. */
    discards: number;
  };
};

/** Everything that the dialog's sections share, for one opening of it. */
export function useCompose(props: ComposeDialogProps): Compose {
  const { userId, initial, typed = false, draftName = initial ? "copy" : "new" } = props;
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

  const clock = useOrganisationClock();
  const templates = useTemplates();
  const form = useForm<NotificationForm, RulesContext, NotificationForm>({
    defaultValues: found?.form ?? fresh,
    resolver: composeRules,
    context: { templates: templates.rows, clock },
    mode: "onSubmit",
    reValidateMode: "onChange",
    // The first bad field in the order of the page gets the focus, not the first one registered (use-send.ts).
    shouldFocusError: false,
  });
  const message = useMessage(form.control, templates);
  const reach = useReach(form.control, templates.rows);
  const preview = usePreview(form.control);
  const keeping = useDraftKeeping({ form, drafts, name: draftName, clientKey, found, typed });
  const uploads = useUploads({
    limits: attachmentLimits,
    present: () => form.getValues("attachments"),
    onArrived: (file) => form.setValue("attachments", [...form.getValues("attachments"), file]),
  });
  const send = useSend({
    form,
    templates,
    clock,
    reach,
    uploads,
    clientKey,
    renewKey() {
      const key = mintClientKey();
      setRefusedKeys([...refusedKeys, clientKey]);
      setClientKey(key);
      keeping.rekey(key);
    },
    offline: props.offline,
    onDone() {
      for (const key of refusedKeys) props.offline.settled(key);
      keeping.discard();
      form.reset(emptyForm);
      props.onOpenChange(false);
    },
  });

  return {
    ...send,
    form,
    message,
    clock,
    reach,
    preview,
    uploads,
    draft: {
      state: keeping.state,
      restoredFrom,
      discarding,
      discards,
      askDiscard: setDiscarding,
      discard() {
        setDiscarding(false);
        setDiscards(discards + 1);
        form.reset(fresh);
        for (const upload of uploads.list) uploads.drop(upload);
        keeping.discard();
        setRestoredFrom(null);
        if (!props.clientKey) setClientKey(mintClientKey());
      },
    },
  };
}
