import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { OutgoingMessage, ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { channelMeaning } from "#contract/delivery.ts";
import { people } from "#contract/text/count-text.ts";
import { conditionText } from "#contract/text/detail-conditions.ts";
import { personDetails } from "#contract/text/kept-details.ts";
import { audienceText } from "#contract/calls/notifications.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import { piecesOf, valueOf } from "#contract/text/message-fields.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { useRead } from "#web/api/use-read.ts";
import { FieldText } from "#web/domain/message/field-text.tsx";
import { PassedDates, textsOf, usePassedDates } from "#web/domain/message/passed-dates.tsx";
import { VERY_MANY } from "#web/domain/message/reach-text.ts";
import { writtenFor } from "#web/domain/message/values.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { CannotLoad } from "#web/ui/feedback/error-state.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { Button } from "#web/ui/page/button.tsx";

export type ConfirmRunProps = {
  verb: "Run" | "Send";
  run: Pick<ScheduleRun, "scheduleId" | "name" | "recipients" | "channels"> & {
    /** Of a run that was missed or could not start. */
    occurrence?: string;
  };
  busy: boolean;
  onConfirm: () => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What else to know. */
  children?: ReactNode;
};

/** As many people as a sentence can name. */
const NAMED = 10;

/** Asks before a run is started manually, with the number of people, which has to be typed if they are very many. */
export default function ConfirmRun({
  verb,
  run,
  busy,
  onConfirm,
  open,
  onOpenChange,
  children,
}: ConfirmRunProps) {
  const count = useRead(schedules.people, { body: { ids: [run.scheduleId] } }, { fresh: true });
  const counted = count.data?.[0]?.people;
  const by = listText(run.channels.map((one) => channelMeaning[one].spoken));
  const outgoing = useRead(
    schedules.outgoing,
    {
      params: { id: run.scheduleId },
      query: run.occurrence === undefined ? {} : { occurrence: run.occurrence },
    },
    { fresh: true },
  );
  // Nobody is counted ahead for a schedule by residents' dates: it goes to those whose date it is.
  const whose = count.data?.length === 0 ? outgoing.data?.audience : undefined;
  const { error } = outgoing;
  const nobody = error instanceof ApiError && error.code === "empty-audience" ? error.reason : null;
  const forAll = verb === "Run" ? "Run now for" : "Send to";
  const skipIf = outgoing.data?.skipIf;
  const detail = personDetails().find(({ id }) => id === skipIf?.detail);
  // Who is left out isn't known before the run.
  const forHowMany = skipIf ? undefined : counted;
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={
        <>
          {verb} “<bdi translate="no">{run.name}</bdi>” now?
        </>
      }
      description={
        <div className="flex flex-col gap-3">
          {nobody && <p>{nobody}</p>}
          <p hidden={nobody !== null}>
            It goes to{" "}
            <bdi dir="ltr" translate="no">
              {whose ? audienceText(whose.slice(0, NAMED)) : run.recipients}
            </bdi>
            {whose && whose.length > NAMED && ` and ${numberText(whose.length - NAMED)} more`}
            {counted !== undefined && ` (${people(counted)})`} by {by} right away.{" "}
            {outgoing.data?.perHome && "One message per home. "}
            {skipIf && `Left out: ${conditionText(skipIf, detail?.label)}. `}
            {count.isLoadingError && "We couldn't count the recipients. "}
            {children}
          </p>
          {outgoing.isPending && <Skeleton className="h-24" />}
          {outgoing.isLoadingError && nobody === null && (
            <CannotLoad what="the message, so it can't be sent yet" read={outgoing} />
          )}
          {outgoing.data && (
            <OutgoingText run={run} message={outgoing.data} onLeave={() => onOpenChange(false)} />
          )}
        </div>
      }
      confirmLabel={
        forHowMany
          ? `${forAll} ${people(forHowMany)}`
          : count.isLoadingError
            ? `${verb} anyway`
            : `${verb} now`
      }
      // No one sends what they can't see.
      confirmable={!count.isPending && outgoing.data !== undefined && counted !== 0}
      typed={counted !== undefined && counted >= VERY_MANY ? counted : undefined}
      busy={busy}
      onConfirm={onConfirm}
    />
  );
}

type OutgoingProps = {
  run: { scheduleId: number; occurrence?: string };
  message: OutgoingMessage;
  onLeave: () => void;
};

/** What a run started now would say, and which of its dates have passed. */
function OutgoingText({ run, message, onLeave }: OutgoingProps) {
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
