import { Info } from "lucide-react";
import type { BodyIn } from "#contract/endpoint.ts";
import type { RunNote } from "#contract/text/rule-text.ts";
import { schedules } from "#contract/calls/schedules.ts";
import type { SchedulePreview } from "#contract/calls/schedule-replies.ts";
import { dateFormat } from "#contract/text/locale.ts";
import { useRead } from "#web/api/use-read.ts";
import { fieldLabel } from "#web/domain/message/fields.ts";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";
import { WithMoments } from "#web/ui/time/when.tsx";

const TYPING_PAUSE = 200;

/** A preview of the rule and message by the server's clock and rules. The last one stays until the next arrives. */
export function useRunsPreview(draft: BodyIn<typeof schedules.preview>): RunsRead {
  const body = useDebounced(draft, TYPING_PAUSE);
  return useRead(schedules.preview, { body }, { fresh: true, keep: true });
}

export type RunsRead = {
  data: SchedulePreview | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
};

type Props = {
  read: RunsRead;
  /** The fields whose value differs for each run. */
  shown: readonly string[];
};

/** The next six runs with their values, and notes about short months and clock changes. */
export function NextRuns({ read, shown }: Props) {
  const notes = read.data?.notes ?? [];
  return (
    <>
      <section
        aria-labelledby="next-six-runs"
        aria-busy={read.isFetching || undefined}
        className="rounded-lg border border-line bg-card px-3.5 py-3.5"
      >
        <h3 id="next-six-runs" className="text-sm text-ink-2">
          {read.data?.runs.length === 1 ? "Next run" : "Next six runs"}
        </h3>
        <div aria-live="polite" className="mt-2">
          <Runs read={read} shown={shown} />
        </div>
      </section>
      {notes.length > 0 && (
        <ul className="flex flex-col gap-2 text-sm text-ink-2">
          {notes.map((note) => (
            <li key={note} className="flex items-start gap-2.5">
              <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span className="min-w-0">
                <WithMoments text={note} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Runs({ read: { data, error, isFetching, refetch }, shown }: Props) {
  if (!data && error) {
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm text-bad">
        We couldn't work out the next runs.
        <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
          Retry
        </Button>
      </div>
    );
  }
  if (!data) return <SkeletonRows rows={6} className="h-6" />;
  if (data.runs.length === 0) {
    return (
      <p className="text-sm text-ink-2">
        {data.rule === null
          ? "Fill in the day and time to see its runs."
          : "No runs left. Its time has passed."}
      </p>
    );
  }
  return (
    <ol className="border-l border-line pl-4">
      {data.runs.map((run, index) => (
        <Run key={run.occurrence} run={run} before={data.runs[index - 1]} shown={shown} />
      ))}
    </ol>
  );
}

type OneRun = SchedulePreview["runs"][number];

type RunProps = { run: OneRun; before: OneRun | undefined; shown: readonly string[] };

function Run({ run, before, shown }: RunProps) {
  // A day may have commas of its own: "Fri, Dec 25, 9:00 AM".
  const comma = run.when.lastIndexOf(", ");
  const [day, time] = [run.when.slice(0, comma), run.when.slice(comma + 2)];
  const tag = tagOf(run, before);
  const values = Object.entries(run.values).filter(([field]) => shown.includes(field));
  return (
    <li className="relative py-1.5 text-sm tabular">
      <span
        aria-hidden
        className={cx(
          "absolute top-3 -left-[1.28rem] size-2 rounded-full border",
          before === undefined ? "border-ink bg-ink" : "border-line-strong bg-card",
        )}
      />
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="min-w-31 font-semibold">{day}</span>
        <span className="text-ink-2">{time}</span>
        {tag && <Badge className="ml-auto">{tag}</Badge>}
      </span>
      {values.map(([field, value]) => (
        <span key={field} className="block text-[0.8125rem] break-words text-ink-3">
          {fieldLabel(field)}: {value}
        </span>
      ))}
    </li>
  );
}

const monthOf = (day: string) => dateFormat({ month: "long", timeZone: "UTC" }).format(new Date(day));

const tags: Record<RunNote, (run: OneRun) => string> = {
  "last-day": ({ occurrence }) => `Last day of ${monthOf(occurrence)}`,
  "clock-skipped": () => "Clocks go forward",
  "clock-repeated": () => "Clocks go back",
};

/** Only what is unusual: a short month, a night when the clocks change, the first run after one. */
function tagOf(run: OneRun, before: OneRun | undefined): string | null {
  if (run.note) return tags[run.note](run);
  return before && zoneOf(before) !== zoneOf(run) ? "Clocks changed" : null;
}

/** "EST" of "Mon, Nov 30, 9:00 AM EST". */
const zoneOf = ({ when }: OneRun) => when.split(" ").at(-1);
