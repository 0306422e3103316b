import { useState } from "react";
import { audience, type Preview } from "#contract/calls/audience.ts";
import { channelMeaning, channels, writtenAs, type Channel } from "#contract/delivery.ts";
import { callList } from "#web/api/client.ts";
import { fieldLabel } from "#web/domain/message/fields.ts";
import { PreviewFrame } from "#web/domain/message/preview-frame.tsx";
import { PreviewPerson, type Person } from "#web/domain/message/preview-person.tsx";
import { partsText } from "#web/domain/message/reach-text.ts";
import { CostText } from "#web/domain/message/sms-cost.tsx";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { usePreview } from "#web/domain/message/use-preview.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import type { Found } from "#web/ui/form/use-search.ts";

/** How the message will look, for any person in the audience. */
export function PreviewDialog({ onClose }: { onClose: () => void }) {
  const message = useMessage();
  const chosen = message.values.channels;
  // Before a channel is chosen, all of them can be previewed.
  const offered: Channel[] = chosen.length > 0 ? chosen : [...channels];
  const [channel, setChannel] = useState<Channel>(offered[0] ?? "email");
  const [userId, setUserId] = useState<number>();
  const reading = writtenAs(channel);
  const { preview, loading, failed, retry } = usePreview(message.values, message, {
    userId,
    channels: offered,
  });
  const search = async (q: string, signal: AbortSignal): Promise<Found<Person>> => {
    const body = { ...message.reach.audience, ...(q ? { q } : {}) };
    const { rows } = await callList(audience.reachList, { body }, { signal });
    return { options: [...new Map(rows.map((row) => [row.userId, row])).values()] };
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Preview"
      description="How the message will look."
      above={
        <div className="flex flex-wrap items-center justify-between gap-2">
          {message.reach.audience.recipients.length === 0 ? (
            <p className="text-sm text-ink-2">Choose recipients to see the details filled in.</p>
          ) : (
            <PreviewPerson
              search={search}
              source="preview"
              person={preview?.person ?? null}
              onChoose={setUserId}
            />
          )}
          {offered.length > 1 && (
            <Segmented
              label="Channel"
              segments={offered.map((value) => ({ value, label: channelMeaning[value].choice }))}
              value={channel}
              onChange={setChannel}
            />
          )}
        </div>
      }
    >
      {failed ? (
        <ErrorState title="We couldn't show the preview" onRetry={retry} />
      ) : !preview ? (
        <Skeleton className="h-80 md:h-124" />
      ) : (
        <section
          aria-label="The message"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
          tabIndex={0}
          className={cx("rounded-lg md:min-h-124", loading && "cursor-progress")}
        >
          <Missing preview={preview} />
          <PreviewFrame preview={{ person: preview.person, [reading]: preview[reading] }} />
          {reading === "sms" && preview.sms && (
            <p className="mx-auto mt-4 max-w-sm text-center text-sm text-balance text-ink-2">
              {partsText(preview.sms.parts)} for this person. <CostText sms={preview.sms} />
            </p>
          )}
        </section>
      )}
    </Dialog>
  );
}

/** Problems for the reader: fields without a value, and text that cannot be parsed. */
function Missing({ preview: { missingFields, problem } }: { preview: Preview }) {
  const missing = missingFields.map((field) => fieldLabel(field)).join(", ");
  const sentence = problem ?? (missing && `Not filled in yet: ${missing}. Shown in brackets.`);
  return sentence ? (
    <p className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{sentence}</p>
  ) : null;
}
