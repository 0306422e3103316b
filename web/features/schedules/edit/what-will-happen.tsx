import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { dayText } from "#contract/text/home-dates.ts";
import { clockText, residentDateText, weekdays } from "#contract/text/rule-text.ts";
import { fieldLabel } from "#web/domain/message/fields.ts";
import { NextRuns, type RunsRead } from "#web/domain/message/next-runs.tsx";
import { ReachPanel } from "#web/domain/message/reach-panel.tsx";
import { NextResidents } from "#web/features/schedules/next-residents.tsx";
import type { ScheduleForm } from "#web/features/schedules/edit/schedule-form.ts";
import { shortDay } from "#web/features/schedules/short-day.ts";
import { placeOf } from "#web/ui/time/format-time.ts";

type Props = {
  form: ScheduleForm;
  read: RunsRead;
  /** Undefined: it is being created, so there have been no runs. */
  scheduleId: number | undefined;
};

/** The rule as a sentence, its next six runs with their values, and who would get it today. */
export function WhatWillHappen({ form, read, scheduleId }: Props) {
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
            {placeOf(data.zone)} time
            {first && `, ${scheduleId === undefined ? "starting" : "next on"} ${shortDay(first.occurrence)}`}
          </p>
        )}
      </section>
      {form.recurrence === "resident-date" ? (
        <NextResidents
          chosen={form.recipients.length > 0}
          scheduleId={scheduleId}
          name={form.title}
          residents={data?.residents ?? undefined}
          residentDate={form.residentDate}
          isPending={read.isFetching && !data?.residents}
          failed={read.error !== null}
        />
      ) : (
        <NextRuns read={read} shown={Object.keys(form.relativeDates)} />
      )}
      {data && (data.problem ?? data.missingFields.length > 0) && (
        <p className="flex items-start gap-2.5 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {data.problem ??
            `Not filled in yet: ${data.missingFields.map((field) => fieldLabel(field)).join(", ")}. The schedule can only run once ${data.missingFields.length === 1 ? "it is" : "they are"}.`}
        </p>
      )}
      {form.recurrence !== "resident-date" && (
        <section aria-labelledby="reaches-today">
          <h3 id="reaches-today" className="mb-2 text-sm text-ink-2">
            If it ran today
          </h3>
          <ReachPanel byChannel />
        </section>
      )}
    </div>
  );
}

/** The rule as a sentence, with the typed values highlighted. */
function RuleSentence({ form }: { form: ScheduleForm }) {
  const { recurrence, dayOfWeek, dayOfMonth, date, residentDate, dayOffset, time } = form;
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
    case "resident-date":
      return (
        <>
          <Typed>{Number.isNaN(dayOffset) ? "…" : residentDateText({ residentDate, dayOffset })}</Typed> at{" "}
          {at}
        </>
      );
  }
}

function Typed({ children }: { children: ReactNode }) {
  return <span className="rounded-sm bg-quiet-soft px-1.5 whitespace-nowrap">{children}</span>;
}
