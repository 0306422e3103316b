import { Link } from "@tanstack/react-router";
import { useState, type KeyboardEvent } from "react";
import { DASHBOARD_DAYS, type DashboardFigures, type MessageCounts } from "#contract/calls/dashboard.ts";
import { messages } from "#contract/text/count-text.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { numberText } from "#contract/text/locale.ts";
import { partFill } from "#web/domain/delivery-bar.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card, CardHeader } from "#web/ui/page/card.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

/** In the order of the legend; the bars stack them from the bottom. */
const parts = [
  { key: "delivered", label: "Delivered", fill: partFill.good },
  { key: "sent", label: "Sent, no receipt", fill: partFill.sent },
  { key: "failed", label: "Failed", fill: partFill.bad },
] as const;

type Day = DashboardFigures["days"][number];

const sumOf = ({ delivered, sent, failed }: MessageCounts) => delivered + sent + failed;
const shortDay = (day: string) => dayText(day, "short", { year: false });

/** The outcomes of recent messages by day, as a chart or a table. */
export function DeliveryTrend({ figures: { days, sent, simulated } }: { figures: DashboardFigures }) {
  const [asTable, setAsTable] = useState(false);
  // The bar under the pointer or with the focus.
  const [shown, setShown] = useState<Day>();
  const counted = shown ? [shown] : days;
  const total = days.reduce((sum, day) => sum + sumOf(day), 0);
  return (
    <Card aria-labelledby="delivery-trend" className="flex flex-col">
      <CardHeader
        title={
          <>
            <span id="delivery-trend" className="mr-2">
              Delivery trend
            </span>
            <span className="text-sm font-normal text-ink-2">
              {messages(total)} in the last {DASHBOARD_DAYS} days
              {/* The rest never left, and the card of what was sent leaves it out. */}
              {sent.now < total && `, ${numberText(sent.now)} of them sent`}
              {simulated > 0 && simulated < total && `, ${numberText(simulated)} to the Sandbox`}
            </span>
            {simulated > 0 && simulated === total && (
              <span className="ml-2">
                <Simulated />
              </span>
            )}
          </>
        }
      >
        <Button size="sm" onClick={() => setAsTable(!asTable)}>
          {asTable ? "View as chart" : "View as table"}
        </Button>
      </CardHeader>
      <div className="flex-1 px-4 pb-4">
        {asTable ? <Table days={days} /> : <Chart days={days} onShow={setShown} />}
        <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {!asTable && (
            <li className="min-w-26 font-semibold">
              {shown ? shortDay(shown.day) : `${DASHBOARD_DAYS} days`}
            </li>
          )}
          {parts.map(({ key, label, fill }) => (
            <li key={key} className="flex items-center gap-2">
              <span aria-hidden className={cx("size-2.5 rounded-[3px]", fill)} />
              {key === "failed" ? (
                <Link
                  to="/notifications"
                  search={{ status: "Failures", time: "30-days" }}
                  className="text-ink-2 hover:underline hover:underline-offset-4"
                >
                  {label}
                </Link>
              ) : (
                <span className="text-ink-2">{label}</span>
              )}
              <span className="font-semibold tabular">
                {numberText(counted.reduce((sum, day) => sum + day[key], 0))}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

/** The next number, at least 5, whose fifths are round. */
function ceilingOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(5, most)));
  const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10].map((step) => step * power);
  return steps.find((step) => step >= Math.max(5, most) && step % 5 === 0) ?? most;
}

const LINES = [1, 0.8, 0.6, 0.4, 0.2, 0];

type ChartProps = { days: readonly Day[]; onShow: (day: Day | undefined) => void };

function Chart({ days, onShow }: ChartProps) {
  const ceiling = ceilingOf(Math.max(...days.map(sumOf)));
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-3 pt-2 text-xs text-ink-3 tabular">
      <div aria-hidden className="flex h-44 flex-col justify-between text-right leading-none">
        {LINES.map((part) => (
          <span key={part}>{numberText(Math.round(ceiling * part))}</span>
        ))}
      </div>
      <div className="relative h-44">
        <div className="absolute inset-x-0 inset-y-1.5 flex flex-col justify-between">
          {LINES.map((part) => (
            <span key={part} className="border-t border-dashed border-line last:border-solid" />
          ))}
        </div>
        <ul
          aria-label="Messages by day"
          className="absolute inset-x-0 inset-y-1.5 flex items-end gap-px sm:gap-1"
        >
          {days.map((day, place) => (
            <Bar
              key={day.day}
              day={day}
              ceiling={ceiling}
              isStart={place === days.length - 1}
              onShow={(isShown) => onShow(isShown ? day : undefined)}
            />
          ))}
        </ul>
      </div>
      <div aria-hidden className="col-start-2 mt-1 flex justify-between">
        {[0, 10, 20].map((n) => (
          <span key={n}>{dayText(days[n]!.day, "short", { weekday: false, year: false })}</span>
        ))}
        <span className="font-semibold text-lamp-ink">Today</span>
      </div>
    </div>
  );
}

type BarProps = { day: Day; ceiling: number; isStart: boolean; onShow: (isShown: boolean) => void };

/** A day's messages, which lead to its notifications. Tab stops at one bar; the arrow keys move between them. */
function Bar({ day, ceiling, isStart, onShow }: BarProps) {
  const values = parts.map(({ key, label }) => `${label} ${numberText(day[key])}`).join(", ");
  return (
    <li className="flex h-full min-w-0 flex-1">
      <Link
        to="/notifications"
        search={{ day: day.day }}
        tabIndex={isStart ? 0 : -1}
        aria-label={`${shortDay(day.day)}: ${values}`}
        onKeyDown={walkDays}
        onFocus={() => onShow(true)}
        onBlur={() => onShow(false)}
        onPointerEnter={() => onShow(true)}
        onPointerLeave={() => onShow(false)}
        className="flex h-full w-full min-w-0 flex-col-reverse rounded-sm px-px hover:bg-hover focus-visible:bg-hover"
      >
        {parts.map(
          ({ key, fill }) =>
            day[key] > 0 && (
              <span
                key={key}
                className={cx("min-h-[3px] w-full last:rounded-t-[3px]", fill)}
                style={{ height: `${(day[key] / ceiling) * 100}%` }}
              />
            ),
        )}
      </Link>
    </li>
  );
}

function walkDays(event: KeyboardEvent<HTMLAnchorElement>) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const links = [...(event.currentTarget.closest("ul")?.querySelectorAll("a") ?? [])];
  const next = step && links[links.indexOf(event.currentTarget) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function Table({ days }: { days: readonly Day[] }) {
  const busy = days.filter((day) => sumOf(day) > 0).toReversed();
  if (busy.length === 0) return <p className="py-2 text-sm text-ink-2">No messages on any of these days.</p>;
  return (
    <table className="w-full text-left text-sm tabular">
      <thead>
        <tr className="border-b border-line text-[0.8125rem] text-ink-2">
          <th scope="col" className="py-2 font-medium">
            Day
          </th>
          {parts.map(({ key, label }) => (
            <th key={key} scope="col" className="py-2 pl-3 text-right font-medium">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {busy.map((day) => (
          <tr key={day.day} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 font-normal">
              {shortDay(day.day)}
            </th>
            {parts.map(({ key }) => (
              <td key={key} className="py-1.5 pl-3 text-right">
                {numberText(day[key])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
