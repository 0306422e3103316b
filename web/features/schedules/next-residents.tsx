import { Send } from "lucide-react";
import type { DueResidents } from "#contract/calls/schedule-replies.ts";
import { counted } from "#contract/text/count-text.ts";
import { dayText } from "#contract/text/home-dates.ts";
import type { ResidentDate } from "#contract/recurrence.ts";
import { residentDateTexts } from "#contract/text/rule-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { shortDay } from "#web/features/schedules/short-day.ts";
import { useActions } from "#web/features/schedules/use-actions.ts";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { When } from "#web/ui/time/when.tsx";

type Props = {
  residents: DueResidents | undefined;
  residentDate: ResidentDate;
  isPending: boolean;
  failed: boolean;
  /** Undefined: it isn't stored yet. */
  scheduleId: number | undefined;
  name: string;
  /** Someone may be among its recipients. */
  chosen?: boolean;
};

/** Whose date comes next, and whose came on file too late, with a click to send it to them. */
export function NextResidents({
  residents,
  residentDate,
  isPending,
  failed,
  scheduleId,
  name,
  chosen = true,
}: Props) {
  return (
    <>
      <section
        aria-labelledby="next-residents"
        aria-busy={isPending || undefined}
        className="rounded-lg border border-line bg-card px-3.5 py-3.5"
      >
        <h3 id="next-residents" className="text-sm text-ink-2">
          Whose date is next
        </h3>
        <div aria-live="polite" className="mt-2">
          {residents ? (
            <Days next={residents.next} residentDate={residentDate} chosen={chosen} />
          ) : isPending ? (
            <SkeletonRows rows={3} className="h-6" />
          ) : (
            <p className={failed ? "text-sm text-bad" : "text-sm text-ink-2"}>
              {failed
                ? "We couldn't look up whose date is next."
                : "Fill in the days and the time to see whose date is next."}
            </p>
          )}
        </div>
      </section>
      {residents && scheduleId !== undefined && residents.late.length > 0 && (
        <Late
          schedule={{ id: scheduleId, name }}
          late={residents.late}
          residentDate={residentDate}
          total={residents.lateTotal}
        />
      )}
    </>
  );
}

type DaysProps = { next: DueResidents["next"]; residentDate: ResidentDate; chosen: boolean };

function Days({ next, residentDate, chosen }: DaysProps) {
  if (next.length === 0) {
    return (
      <p className="text-sm text-ink-2">
        {chosen
          ? "No one yet. It runs once someone among the recipients has such a date on file."
          : "Choose recipients to see whose date is next."}
      </p>
    );
  }
  return (
    <ol className="divide-y divide-line">
      {next.map(({ occurrence, startsAt, people, first }) => (
        <li key={occurrence} className="py-2 text-sm first:pt-0 last:pb-0">
          <When at={startsAt} className="font-semibold tabular" />
          <ul className="mt-0.5">
            {first.map((one) => (
              <li key={one.personId}>
                <Resident {...one} residentDate={residentDate} />
              </li>
            ))}
          </ul>
          {people > first.length && (
            <p className="text-ink-3">and {numberText(people - first.length)} more</p>
          )}
        </li>
      ))}
    </ol>
  );
}

type ResidentProps = DueResidents["late"][number] & { residentDate: ResidentDate };

function Resident({ name, home, date, residentDate }: ResidentProps) {
  return (
    <>
      <bdi translate="no">{name}</bdi>
      <span className="text-ink-3">
        {", "}
        <bdi translate="no">{home}</bdi>
        {" · "}
        <span className="whitespace-nowrap">
          {residentDateTexts[residentDate].date} {dayText(date, "short", { weekday: false })}
        </span>
      </span>
    </>
  );
}

type LateProps = {
  schedule: { id: number; name: string };
  late: DueResidents["late"];
  residentDate: ResidentDate;
  total: number;
};

function Late({ schedule, late, residentDate, total }: LateProps) {
  const { busy, sendLate } = useActions();
  const everyone = [...new Set(late.map(({ personId }) => personId))];
  return (
    <section aria-labelledby="late-residents" className="rounded-md bg-warn-soft px-3.5 py-3 text-sm">
      <h3 id="late-residents" className="font-semibold text-warn">
        {counted(total, "date")} came on file too late
      </h3>
      <p className="mt-0.5 text-ink-2">
        {total === 1 ? "Its" : "Their"} day had passed by then, so nothing was sent.
      </p>
      <ul className="mt-1 divide-y divide-line">
        {late.map((one) => (
          <li
            key={`${one.personId} ${one.date}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2"
          >
            <span className="min-w-0 flex-1 basis-60">
              <Resident {...one} residentDate={residentDate} />
              <span className="block text-ink-3">Would have gone out on {shortDay(one.day)}</span>
            </span>
            <Button
              size="sm"
              icon={<Send aria-hidden />}
              disabled={busy}
              onClick={() => void sendLate(schedule, [one.personId])}
            >
              Send now<span className="sr-only"> to {one.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {late.length > 1 && (
        <Button size="sm" disabled={busy} onClick={() => void sendLate(schedule, everyone)}>
          Send to {counted(everyone.length, "person")}
        </Button>
      )}
      {total > late.length && <p className="mt-2 text-ink-3">The others are listed once these have it.</p>}
    </section>
  );
}
