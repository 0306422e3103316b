import { Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { useRef, useState } from "react";
import { useController, useFormContext } from "react-hook-form";
import { notifications } from "#contract/calls/notifications.ts";
import { templateChannel, type Template } from "#contract/calls/templates.ts";
import { callList } from "#web/api/client.ts";
import { AskedFields } from "#web/domain/message/asked-fields.tsx";
import { FieldText } from "#web/domain/message/field-text.tsx";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { PreviewDialog } from "#web/domain/message/preview-dialog.tsx";
import { SmsCost } from "#web/domain/message/sms-cost.tsx";
import { TemplatePicker } from "#web/domain/message/template-picker.tsx";
import { readMessage } from "#web/features/schedules/edit/open-schedule.ts";
import { ofNotification, type ScheduleForm } from "#web/features/schedules/edit/schedule-form.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Field, type FieldWiring } from "#web/ui/form/field.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import type { PickerOption } from "#web/ui/form/multi-picker.tsx";
import { SearchSelect } from "#web/ui/form/search-select.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import type { Found } from "#web/ui/form/use-search.ts";

const kinds = [
  { value: "template", label: "Template" },
  { value: "custom", label: "Notification" },
] as const;

/** What each run sends: a template as it is then, or the text of a notification, with the fields to fill in. */
export function MessageChoice({ own }: { own: boolean }) {
  const { template } = useMessage();
  const form = useFormContext<ScheduleForm>();
  const { control, formState, getValues, setValue } = form;
  const kind = useController({ control, name: "messageType" }).field;
  const templateId = useController({ control, name: "templateId" }).field;
  const [previewing, setPreviewing] = useState(false);
  const { errors, isSubmitted } = formState;
  const byTemplate = kind.value === "template";
  const set = { shouldDirty: true, shouldValidate: isSubmitted };

  const choose = (chosen: Template) => {
    // A name or channels that came from a template were not chosen by anyone, so they can be replaced.
    if (["", template?.name].includes(getValues("title").trim())) setValue("title", chosen.name, set);
    const before = getValues("channels");
    if (before.length === 0 || (template && String(before) === templateChannel[template.type])) {
      setValue("channels", [templateChannel[chosen.type]], set);
    }
    setValue("highPriority", null, set);
    templateId.onChange(String(chosen.id));
  };

  return (
    <div className="flex flex-col gap-3">
      <Field
        label="Message"
        required
        error={(byTemplate ? errors.templateId : errors.notification)?.message}
        aside={
          !own && (
            <Segmented label="Message type" segments={kinds} value={kind.value} onChange={kind.onChange} />
          )
        }
      >
        {(wiring) =>
          byTemplate ? (
            <TemplatePicker
              {...wiring}
              value={templateId.value}
              onChange={choose}
              aside={
                <Button
                  variant="ghost"
                  size="sm"
                  icon={<Eye aria-hidden />}
                  onClick={() => setPreviewing(true)}
                >
                  Preview
                </Button>
              }
            />
          ) : (
            <NotificationPicker wiring={wiring} own={own} />
          )
        }
      </Field>
      <AskedFields />
      <SmsCost />
      {previewing && <PreviewDialog onClose={() => setPreviewing(false)} />}
    </div>
  );
}

type Option = PickerOption & { notificationId: number };

const PAGE = 50;

async function searchNotifications(q: string, signal: AbortSignal): Promise<Found<Option>> {
  const query = { q, repeatable: true, pageSize: PAGE };
  const { rows, total } = await callList(notifications.list, { query }, { signal });
  const options = rows.map(({ id, title, type, status, sentTime }) => ({
    key: String(id),
    label: title,
    detail: [type, status, sentTime].filter(Boolean).join(" · "),
    notificationId: id,
  }));
  return { options, total };
}

/** A picker for a notification, searched on the server by title, with its text below. */
function NotificationPicker({ wiring, own }: { wiring: FieldWiring; own: boolean }) {
  const { control, getValues, setValue, formState } = useFormContext<ScheduleForm>();
  const chosen = useController({ control, name: "notification" }).field;
  const text = useController({ control, name: "customMessage" }).field.value;
  const asked = useRef(0);

  const choose = async (id: number) => {
    asked.current = id;
    const found = await readMessage(id).catch(() => null);
    // Another one has been chosen in the meantime.
    if (asked.current !== id) return;
    if (!found) {
      toast({ title: "Error", description: "We couldn't load this notification.", variant: "destructive" });
      return;
    }
    const set = { shouldDirty: true, shouldValidate: formState.isSubmitted };
    if (["", chosen.value?.title].includes(getValues("title").trim())) setValue("title", found.title, set);
    const { customMessage, notification, fieldValues, relativeDates } = ofNotification(found);
    setValue("customMessage", customMessage, set);
    setValue("fieldValues", fieldValues, set);
    setValue("relativeDates", relativeDates, set);
    setValue("channels", found.channels, set);
    setValue("perHome", found.perHome, set);
    setValue("notification", notification, set);
    setValue("highPriority", null, set);
  };

  return (
    <div className="flex flex-col gap-2">
      {own ? (
        <p className="text-sm font-medium">
          <bdi translate="no">{chosen.value?.title}</bdi>
        </p>
      ) : (
        <SearchSelect
          {...wiring}
          chosen={chosen.value?.title ?? ""}
          search={searchNotifications}
          onPick={({ notificationId }) => void choose(notificationId)}
          placeholder="Choose a notification"
          emptyText="No notifications found"
        />
      )}
      {chosen.value && (
        <div className="rounded-md border border-line bg-paper">
          <section
            aria-label="Notification text"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
            tabIndex={0}
            className="overflow-y-auto px-3 py-2.5 text-sm leading-6 break-words whitespace-pre-wrap md:max-h-40"
          >
            <FieldText text={text} />
          </section>
          <p className="border-t border-line px-3 py-2 text-sm text-ink-3">
            {chosen.value.canChange ? (
              <>Its text is edited in {linkTo(chosen.value.id, "the notification")}.</>
            ) : (
              <>
                {linkTo(chosen.value.id, "This notification")} has gone out, so its text can't be changed. For
                a text that you can edit, choose a template.
              </>
            )}
          </p>
        </div>
      )}
    </div>
  );
}

function linkTo(id: number, words: string) {
  return (
    <Link
      to="/notifications/$id"
      params={{ id: String(id) }}
      className="font-semibold text-ink underline-offset-4 hover:underline"
    >
      {words}
    </Link>
  );
}
