import { people } from "#contract/text/count-text.ts";
import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { useFormContext, useWatch } from "react-hook-form";
import { schedules } from "#contract/calls/schedules.ts";
import { readKey } from "#web/api/use-read.ts";
import { ChannelsSection } from "#web/domain/message/channels-section.tsx";
import { MessageProvider, useMessage, type MessageState } from "#web/domain/message/message-form.tsx";
import { PrioritySection } from "#web/domain/message/priority-section.tsx";
import { RecipientsSection } from "#web/domain/message/recipients-section.tsx";
import { OpeningDialog } from "#web/domain/save/opening-dialog.tsx";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { MessageChoice } from "#web/features/schedules/edit/message-choice.tsx";
import { openSchedule, type Opened, type ToEdit } from "#web/features/schedules/edit/open-schedule.ts";
import { ActiveField, RuleFields } from "#web/features/schedules/edit/rule-fields.tsx";
import type { ScheduleForm } from "#web/features/schedules/edit/schedule-form.ts";
import {
  useScheduleForm,
  useSchedulePreview,
  type KeptSchedule,
  type OfflinePort,
} from "#web/features/schedules/edit/use-schedule-form.ts";
import { SkipField } from "#web/features/schedules/edit/skip-field.tsx";
import { WhatWillHappen } from "#web/features/schedules/edit/what-will-happen.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";

export type ScheduleDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Undefined for a new schedule. */
  scheduleId: number | undefined;
  /** Keeps a new schedule that cannot reach the server. */
  offline: OfflinePort;
  /** The one that the server refused and that is being corrected. */
  unsent?: KeptSchedule | undefined;
};

/** "Create Schedule" and "Edit Schedule". Loaded on first use, and remounted each time it opens. */
export default function ScheduleDialog({ scheduleId, ...props }: ScheduleDialogProps) {
  const read = useQuery({
    queryKey: [...readKey(schedules.read, { params: { id: scheduleId ?? 0 } }), "opened"],
    queryFn: () => openSchedule(scheduleId),
    gcTime: 0,
    staleTime: Infinity,
    refetchOnMount: "always",
  });
  const title = scheduleId === undefined ? "Create Schedule" : "Edit Schedule";
  const stored = read.data?.stored;
  if (stored?.kind === "notification") {
    return (
      <Navigate
        to="/notifications/$id"
        params={{ id: String(stored.notificationId) }}
        search={{ edit: "schedule" }}
        replace
      />
    );
  }
  return (
    <OpeningDialog {...props} title={title} what="this schedule" read={read}>
      {(opened) => <Editor {...props} scheduleId={scheduleId} opened={opened} />}
    </OpeningDialog>
  );
}

type EditorProps = ScheduleDialogProps & { opened: ToEdit };

function Editor({ open, onOpenChange, scheduleId, opened, offline, unsent }: EditorProps) {
  const { form, message, saving, stored } = useScheduleForm({
    opened,
    offline,
    unsent,
    onSaved: () => onOpenChange(false),
  });
  const values = useWatch({ control: form.control }) as ScheduleForm;
  const preview = useSchedulePreview(values, stored);
  const [first] = preview.data?.runs ?? [];
  return (
    <MessageProvider form={form} message={message} busy={saving.saving}>
      <SaveDialog
        open={open}
        onOpenChange={onOpenChange}
        title={stored ? "Edit Schedule" : "Create Schedule"}
        description={
          stored
            ? "Changes apply to runs that have not started. What was sent stays as it was."
            : whenToWhom(values.recurrence === "resident-date")
        }
        saving={saving}
        label={stored ? "Save Schedule" : whatItStarts(values, message.reach.reach?.reached)}
        what="this schedule"
        aside={
          <Run
            word={stored ? "Next run" : "First run"}
            when={values.active ? first?.when : undefined}
            message={message}
            dated={preview.data?.residents?.next[0]?.people}
          />
        }
        beside={<WhatWillHappen form={values} read={preview} scheduleId={stored?.id} />}
      >
        {scheduleId !== undefined && !stored && (
          <Notice>This schedule no longer exists. Saving creates a new one.</Notice>
        )}
        {stored?.problem && <Notice>{stored.problem}</Notice>}
        <Fields stored={stored} />
      </SaveDialog>
    </MessageProvider>
  );
}

const often = { daily: "Daily", weekly: "Weekly", monthly: "Monthly", once: "Once" };

/** When it goes to whom, in a sentence. */
const whenToWhom = (byDate: boolean) =>
  byDate
    ? "Sent automatically to each of the recipients when their date comes."
    : "Sent automatically to everyone who is in the chosen groups on that day.";

/** "Daily to 238 people", once that is known. */
function whatItStarts({ recurrence, active, channels }: ScheduleForm, reached: number | undefined): string {
  const byDate = recurrence === "resident-date";
  if (!active || byDate || reached === undefined || channels.length === 0) return "Create Schedule";
  return `${often[recurrence]} to ${people(reached)}`;
}

function Fields({ stored }: { stored: Opened | undefined }) {
  const { clock } = useMessage();
  const { control, formState, register } = useFormContext<ScheduleForm>();
  const notification = useWatch({ control, name: "notification" });
  const own = stored?.ownNotification ?? false;
  return (
    <>
      <Field label="Name" required error={formState.errors.title?.message}>
        {(wiring) => <Input {...wiring} {...register("title")} autoComplete="off" data-autofocus />}
      </Field>
      <MessageChoice own={own} />
      <RecipientsSection />
      <SkipField />
      <ChannelsSection />
      <PrioritySection source={notification?.class} />
      <RuleFields today={clock?.read().day} repeats={own} />
      <ActiveField />
    </>
  );
}

function Notice({ children }: { children: string }) {
  return (
    <output className="flex items-start gap-2.5 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {children}
    </output>
  );
}

type RunProps = {
  word: string;
  when: string | undefined;
  message: MessageState;
  /** Whose date makes the run. */
  dated: number | undefined;
};

function Run({ word, when, message, dated }: RunProps) {
  const reach = message.reach.reach;
  // Without a channel, as in the panel: how many people were chosen.
  const reached = dated ?? (message.values.channels.length === 0 ? reach?.people : reach?.reached);
  if (!when) return null;
  return (
    <p className="text-sm text-ink-2">
      {word} {when}
      {reached !== undefined && `, to ${people(reached)}`}
    </p>
  );
}
