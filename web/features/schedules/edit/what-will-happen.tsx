import { CalendarDays, CircleAlert, Clock3 } from "lucide-react";
import type { ReactNode } from "react";
import { clockText, dayText, weekdays } from "#contract/rule-text.ts";
import type { RunNote } from "#contract/rule-text.ts";
import type { SchedulePreview } from "#contract/schedules.ts";
import { fieldLabel } from "#web/domain/message/fields.ts";
import { ReachPanel } from "#web/domain/message/reach-panel.tsx";
import type { ScheduleForm } from "#web/features/schedules/edit/schedule-form.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/class-names.ts";
import { placeOf } from "#web/ui/format-time.ts";
import { SkeletonRows } from "#web/ui/skeleton.tsx";

type Props = {
  form: ScheduleForm;
  read: {
    data: SchedulePreview | undefined;
    error: Error | null;
    isFetching: boolean;
    refetch: () => unknown;
  };
};

/** The rule in a sentence, its next six runs with the values that each will use, and whom it reaches today. */
export function WhatWillHappen({ form, read }: Props) {
  const { data } = read;
  const [first] = data?.runs ?? [];
  return (
    <div className="flex flex-col gap-5">
      <section aria-labelledby="what-will-happen">
        <h3 id="what-will-happen" className="text-sm text-ink-2">
          What will happen
        </h3>
        <p className="mt-1 text-lg font-semibold tracking-tight text-pretty">
          <RuleSentence form={form} />
        </p>
        {data && (
          <p className="mt-0.5 text-sm text-ink-2">
            {placeOf(data.zone)} time{first && `, starting ${first.when.split(",")[0]}`}
          </p>
        )}
      </section>
      <section
        aria-labelledby="next-six-runs"
        aria-busy={read.isFetching || undefined}
        className="rounded-lg border border-line bg-card px-4 py-3.5"
      >
        <h3 id="next-six-runs" className="text-sm text-ink-2">
          Next six runs
        </h3>
        <div aria-live="polite" className="mt-2">
          <Runs read={read} shown={Object.keys(form.relativeDates)} />
        </div>
      </section>
      {data && data.notes.length > 0 && (
        <ul className="flex flex-col gap-2 text-sm text-ink-2">
          {data.notes.map((note) => (
            <li key={note} className="flex items-start gap-2.5">
              {note.startsWith("Clocks") || note.includes("clocks") ? (
                <Clock3 aria-hidden className="mt-0.5 size-4 shrink-0" />
              ) : (
                <CalendarDays aria-hidden className="mt-0.5 size-4 shrink-0" />
              )}
              {note}
            </li>
          ))}
        </ul>
      )}
      {data && (data.problem ?? data.missingFields.length > 0) && (
        <p className="flex items-start gap-2.5 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {data.problem ??
            `Not filled in yet: ${data.missingFields.map((field) => fieldLabel(field)).join(", ")}. The schedule can only run once ${data.missingFields.length === 1 ? "it is" : "they are"}.`}
        </p>
      )}
      <section aria-labelledby="reaches-today">
        <h3 id="reaches-today" className="mb-2 text-sm text-ink-2">
          If it ran today
        </h3>
        <ReachPanel />
      </section>
    </div>
  );
}

type RunsProps = Pick<Props, "read"> & {
  /** The fields whose value is another one each time. */
  shown: readonly string[];
};

function Runs({ read: { data, error, isFetching, refetch }, shown }: RunsProps) {
  if (!data && error) {
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm text-bad">
        We couldn’t work out the next runs.
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
  const [day = "", time = ""] = run.when.split(", ");
  const tag = tagOf(run, before);
  const values = Object.entries(run.values).filter(([field]) => shown.includes(field));
  return (
    <li className="relative py-1.5 text-sm tabular">
      <span
        aria-hidden
        className={cx(
          "absolute top-3 -left-[1.28rem] size-2 rounded-full border",
          before === undefined ? "border-lamp bg-lamp" : "border-line-strong bg-card",
        )}
      />
      <span className="flex flex-wrap items-center gap-x-4">
        <span className="min-w-32 font-semibold">{day}</span>
        <span className="text-ink-2">{time}</span>
        {tag && (
          <Badge tone="lamp" className="ml-auto">
            {tag}
          </Badge>
        )}
      </span>
      {values.map(([field, value]) => (
        <span key={field} className="block text-[0.8125rem] break-words text-ink-3">
          {fieldLabel(field)}: {value}
        </span>
      ))}
    </li>
  );
}

const monthOf = (day: string) =>
  new Intl.DateTimeFormat("en-US", { month: "long", timeZone: "UTC" }).format(new Date(day));

const tags: Record<RunNote, (run: OneRun) => string> = {
  "last-day": ({ occurrence }) => `Last day of ${monthOf(occurrence)}`,
  "clock-skipped": () => "Clocks go forward",
  "clock-repeated": () => "Clocks go back",
};

/** Only what differs from the rest: a shorter month, a night when the clocks change, the first run after one. */
function tagOf(run: OneRun, before: OneRun | undefined): string | null {
  if (run.note) return tags[run.note](run);
  return before && zoneOf(before) !== zoneOf(run) ? "Clocks changed" : null;
}

/** "EST" of "Mon 30 Nov, 9:00 AM EST". */
const zoneOf = ({ when }: OneRun) => when.split(" ").at(-1);

/** What is typed, in one sentence that highlights it. */
function RuleSentence({ form }: { form: ScheduleForm }) {
  const { recurrence, dayOfWeek, dayOfMonth, date, time } = form;
  const at = time === "" ? <Typed>…</Typed> : <Typed>{clockText(time)}</Typed>;
  switch (recurrence) {
    case "daily":
      return <>Every day at {at}</>;
    case "weekly":
      return (
        <>
          Every <Typed>{weekdays[dayOfWeek]}</Typed> at {at}
        </>
      );
    case "monthly":
      return (
        <>
          Every month on <Typed>day {dayOfMonth}</Typed> at {at}
        </>
      );
    case "once":
      return (
        <>
          Once on <Typed>{date === "" ? "…" : dayText(date)}</Typed> at {at}
        </>
      );
  }
}

function Typed({ children }: { children: ReactNode }) {
  return <span className="rounded-sm bg-lamp-soft px-1.5 whitespace-nowrap text-lamp-ink">{children}</span>;
}
