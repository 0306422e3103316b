import { ChevronLeft, ChevronRight, MailX } from "lucide-react";
import { useState } from "react";
import { channelMeaning, channels, writtenAs, type Channel } from "#contract/delivery.ts";
import { values as calls, type ValueRow, type ValuesOverview } from "#contract/calls/values.ts";
import { numberText } from "#contract/text/locale.ts";
import { useReadList } from "#web/api/use-read.ts";
import { fieldLabel } from "#web/domain/message/fields.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { type Chosen, ROWS_PER_PAGE } from "#web/domain/message/own-values/check/rows.tsx";
import type { Check } from "#web/domain/message/own-values/check/use-check.ts";
import { everyoneIn } from "#web/domain/message/own-values/recipients.ts";
import { PreviewFrame } from "#web/domain/message/preview-frame.tsx";
import { partsText } from "#web/domain/message/reach-text.ts";
import { draftOf, usePreviewOf } from "#web/domain/message/use-preview.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { useShowOnChange } from "#web/ui/browser/use-show-on-change.ts";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { Button } from "#web/ui/page/button.tsx";

type Props = {
  check: Check;
  overview: ValuesOverview;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
};

/** The message of one row, as its person gets it, and the way to the next. */
export function RowPreview({ check, overview, chosen, onChoose }: Props) {
  const { only, q, at } = chosen;
  const page = Math.ceil(at / ROWS_PER_PAGE);
  const { data, isPlaceholderData } = useReadList(
    calls.rows,
    { params: { id: check.id }, query: { only, ...(q !== "" && { q }), page, pageSize: ROWS_PER_PAGE } },
    { fresh: true },
  );
  const section = useShowOnChange<HTMLElement>(JSON.stringify(chosen));
  const total = data?.total ?? 0;
  // A row that was corrected or left out may have been the last.
  const place = Math.max(1, Math.min(at, total));
  const row = data?.rows[(place - 1) % ROWS_PER_PAGE];
  const go = (next: number) => onChoose({ ...chosen, at: next });
  if (overview.problem !== null || overview.ready === 0 || (data && total === 0)) {
    return (
      <EmptyState
        icon={<MailX aria-hidden />}
        title="No row can be sent yet"
        hint="Once a row is ready, its message shows here."
      />
    );
  }
  if (!row) return <Skeleton className="h-96" />;
  return (
    <section ref={section} aria-label="The message of a row" className="flex flex-col gap-4">
      <RowMessage
        // Another row begins with its first person.
        key={row.line}
        overview={overview}
        row={row}
        loading={isPlaceholderData}
        check={check}
        nav={
          <div className="flex items-center gap-2 text-sm">
            <span className="tabular text-ink-2">
              {numberText(place)} of {numberText(total)}
            </span>
            <Button
              size="icon"
              aria-label="Previous row"
              icon={<ChevronLeft aria-hidden />}
              disabled={place <= 1}
              onClick={() => go(place - 1)}
            />
            <Button
              size="icon"
              aria-label="Next row"
              icon={<ChevronRight aria-hidden />}
              disabled={place >= total}
              onClick={() => go(place + 1)}
            />
          </div>
        }
      />
    </section>
  );
}

type MessageProps = {
  check: Check;
  overview: ValuesOverview;
  row: ValueRow;
  loading: boolean;
  nav: React.ReactNode;
};

function RowMessage({ check, overview, row, loading, nav }: MessageProps) {
  const { values, ...known } = useMessage();
  const offered: readonly Channel[] = values.channels.length > 0 ? values.channels : channels;
  const [asked, setChannel] = useState<Channel>();
  const [userId, setUserId] = useState<number>();
  const channel = asked && offered.includes(asked) ? asked : (offered[0] ?? "email");
  const { people, line } = row;
  const person = people.find((one) => one.userId === userId) ?? people[0];
  const {
    preview,
    loading: rendering,
    failed,
    retry,
  } = usePreviewOf({
    ...draftOf(values, known),
    recipients: [everyoneIn(overview)],
    channels: [...offered],
    valuesId: overview.id,
    ...(person && { userId: person.userId }),
  });
  const reading = writtenAs(channel);
  const decided = overview.decisions[String(line)];
  const old = preview?.person?.userId !== person?.userId;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <h3 className="font-semibold break-words">
            {person ? (
              <>
                Row {line}, as <bdi translate="no">{person.name}</bdi> gets it
              </>
            ) : (
              `Row ${line} isn't sent`
            )}
          </h3>
          <p className="text-sm text-ink-2">
            {person?.propertyUnit && (
              <>
                <bdi translate="no">{person.propertyUnit}</bdi> ·{" "}
              </>
            )}
            {person && `by ${channelMeaning[channel].choice.toLowerCase()}`}
          </p>
        </div>
        {nav}
      </div>
      {person && (people.length > 1 || offered.length > 1) && (
        <div className="flex flex-wrap items-center gap-2">
          {people.length > 1 && (
            <Select
              aria-label={`Person of row ${line}`}
              className="min-w-44 flex-1"
              value={person.userId}
              onChange={({ target }) => setUserId(Number(target.value))}
            >
              {people.map((one) => (
                <option key={one.userId} value={one.userId}>
                  {one.name}
                </option>
              ))}
            </Select>
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
      )}
      {!person ? (
        <p className="text-sm text-ink-2">It needs to be fixed first, or was left out.</p>
      ) : failed ? (
        <ErrorState title="We couldn't show the preview" onRetry={retry} />
      ) : !preview ? (
        <Skeleton className="h-80" />
      ) : (
        <div className={cx((loading || rendering) && "cursor-progress", old && "opacity-55")}>
          {preview.problem && (
            <p className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{preview.problem}</p>
          )}
          <PreviewFrame preview={{ person: preview.person, [reading]: preview[reading] }} />
          {reading === "sms" && preview.sms && (
            <p className="mt-3 text-center text-sm text-ink-2">
              {partsText(preview.sms.parts)} for this person.
            </p>
          )}
        </div>
      )}
      {person && <p className="-mb-2.5 text-sm text-ink-3">From row {line} of the file:</p>}
      <dl className="tabular flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {Object.entries(row.values).map(([field, value]) => (
          <div key={field} className="flex min-w-0 gap-1.5">
            <dt className="text-ink-2">{fieldLabel(field)}</dt>
            <dd className="min-w-0 font-medium break-words">
              <bdi translate="no">{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {decided !== undefined && decided !== "out" && !overview.kept && (
        <p className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
          You chose who row {line} is for.
          <Button size="sm" variant="ghost" onClick={() => check.change({ decisions: { [line]: "" } })}>
            Choose again
          </Button>
        </p>
      )}
    </>
  );
}
