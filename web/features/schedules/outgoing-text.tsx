import { useNavigate } from "@tanstack/react-router";
import { piecesOf, valueOf } from "#contract/text/message-fields.ts";
import type { OutgoingMessage } from "#contract/calls/schedule-replies.ts";
import { FieldText } from "#web/domain/message/field-text.tsx";
import { PassedDates, textsOf, usePassedDates } from "#web/domain/message/passed-dates.tsx";
import { writtenFor } from "#web/domain/message/values.ts";
import { Button } from "#web/ui/page/button.tsx";

type Props = {
  run: { scheduleId: number; occurrence?: string };
  message: OutgoingMessage;
  onLeave: () => void;
};

/** What a run started now would say, and which of its dates have passed. */
export function OutgoingText({ run, message, onLeave }: Props) {
  const navigate = useNavigate();
  const dates = usePassedDates(textsOf({ ...message, text: message.contentText }), writtenFor(message));
  const useNewDates = () => {
    onLeave();
    void navigate({
      to: ".",
      search: (screen: object) => ({
        ...screen,
        write: `run:${run.scheduleId}` as const,
        ...(run.occurrence !== undefined && { occurrence: run.occurrence }),
      }),
      resetScroll: false,
    });
  };
  return (
    <>
      <PassedDates dates={dates}>
        <div>
          <Button size="sm" onClick={useNewDates}>
            Use new dates
          </Button>
        </div>
      </PassedDates>
      <section
        aria-label="Message"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-48 overflow-y-auto rounded-md border border-line bg-paper px-3 py-2.5 text-sm leading-6 break-words whitespace-pre-wrap text-ink"
      >
        {message.subject && (
          <p className="mb-1.5 border-b border-line pb-1.5 font-semibold">
            <span className="font-normal text-ink-3">Email subject: </span>
            <bdi>
              <FieldText text={filled(message.subject, message.fieldValues)} />
            </bdi>
          </p>
        )}
        <FieldText text={filled(message.contentText, message.fieldValues)} />
      </section>
    </>
  );
}

/** The text with the values that are the same for everyone. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return piecesOf(text)
    .map(({ raw, field }) => (field === null ? raw : (valueOf(values, field) ?? raw)))
    .join("");
}
