import { Link, linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ArrowDown, ArrowUp, Minus } from "lucide-react";
import { DASHBOARD_DAYS, type DashboardFigures } from "#contract/calls/dashboard.ts";
import { counted } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { Simulated } from "#web/domain/simulated.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";

type Stat = {
  label: string;
  value: string;
  /** What the value counts. */
  of: string;
  /** What of it needs someone, and where it is listed. */
  trouble?: ReactNode;
  /** Beside the label, where it takes no line of its own however large the figure is. */
  mark?: ReactNode;
  /** The change from before, in `unit`; null if there is nothing to compare. */
  change: number | null;
  /** The figure from before, if only that one exists. */
  before?: string | undefined;
  unit: (amount: number) => string;
  /** Said of a figure above and below the one from before. */
  words?: readonly [above: string, below: string];
};

const difference = (now: number | null, before: number | null) =>
  now === null || before === null ? null : now - before;

const links = {
  "Active Tenants": linkOptions({ to: "/users", search: { role: "tenant", lives: "now" } }),
  "Notifications Sent": linkOptions({ to: "/notifications", search: { time: "30-days" } }),
  "Open Rate": linkOptions({ to: "/notifications", search: { channel: "email", time: "30-days" } }),
  "Active Templates": linkOptions({ to: "/templates" }),
} as const;

function statsOf({ tenants, sent, openRate, templates }: DashboardFigures): Stat[] {
  // A percentage, if there was anything before.
  const growth = sent.before > 0 ? Math.round(((sent.now - sent.before) / sent.before) * 100) : null;
  return [
    {
      label: "Active Tenants",
      value: numberText(tenants.now),
      of: tenants.properties === 1 ? "in 1 property" : `in ${numberText(tenants.properties)} properties`,
      change: difference(tenants.now, tenants.before),
      unit: numberText,
      trouble: tenants.unreachable > 0 && (
        <Link
          to="/users"
          search={{ role: "tenant", lives: "now", reachable: "nothing" }}
          className="relative z-1 font-medium text-warn underline underline-offset-2 touch:inline-block touch:min-h-11 touch:content-center"
        >
          {`${numberText(tenants.unreachable)} can't be reached`}
        </Link>
      ),
    },
    {
      label: "Notifications Sent",
      value: numberText(sent.now),
      of: `${sent.now === 1 ? "message" : "messages"}${
        sent.simulated > 0 && sent.simulated < sent.now
          ? `, ${numberText(sent.simulated)} of them to the Sandbox`
          : ""
      }`,
      mark: sent.simulated > 0 && sent.simulated === sent.now && <Simulated />,
      change: growth,
      unit: (amount) => `${numberText(amount)}%`,
      words: ["more", "less"],
    },
    {
      label: "Open Rate",
      value: openRate.now === null ? "" : `${openRate.now}%`,
      of: openRate.now === null ? "No opens yet" : "of tracked emails",
      mark: openRate.now !== null && "estimated",
      change: difference(openRate.now, openRate.before),
      before: openRate.before === null ? undefined : `${openRate.before}%`,
      unit: (amount) => counted(amount, "point"),
      words: ["higher", "lower"],
    },
    {
      label: "Active Templates",
      value: numberText(templates.now),
      of: `${numberText(templates.used)} used in ${DASHBOARD_DAYS} days`,
      change: difference(templates.now, templates.before),
      unit: numberText,
    },
  ];
}

/** Four figures with their change. Each links to what it counts. */
export function StatCards({ figures }: { figures: DashboardFigures | undefined }) {
  return (
    <>
      {/* Said once where a card has no room for it. */}
      <p aria-hidden className="px-1 pb-1.5 text-[0.8125rem] text-ink-3 sm:hidden">
        Compared with the {DASHBOARD_DAYS} days before
      </p>
      <ul className="grid grid-cols-2 gap-3 sm:gap-5 xl:grid-cols-4">
        {figures
          ? statsOf(figures).map((stat) => <StatCard key={stat.label} {...stat} />)
          : Object.keys(links).map((label) => (
              <li key={label}>
                <Card className="px-4 py-3.5">
                  <p className="text-sm text-ink-2">{label}</p>
                  <Skeleton className="my-1 h-9 w-28" />
                  <Skeleton className="h-5 w-40" />
                </Card>
              </li>
            ))}
      </ul>
    </>
  );
}

function StatCard({ label, value, of, mark, trouble, ...change }: Stat) {
  return (
    // Its lines are the grid's rows, so that all figures stand on one line however long a label is.
    <li className="row-span-4 grid grid-rows-subgrid gap-y-0">
      <Card className="relative row-span-4 grid grid-rows-subgrid px-4 py-3.5 transition-colors hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus">
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-2">
          <Link
            {...links[label as keyof typeof links]}
            className="outline-none after:absolute after:inset-0 after:rounded-lg"
          >
            {label}
          </Link>{" "}
          {mark && <span className="text-[0.8125rem]">{mark}</span>}
        </p>
        <p className="text-3xl font-bold tracking-tight whitespace-nowrap tabular">{value || "–"}</p>{" "}
        <p className="flex flex-wrap gap-x-2 text-sm text-ink-2">
          <span>{of}</span> {trouble}
        </p>
        <Change {...change} />
      </Card>
    </li>
  );
}

const looks = {
  up: { Icon: ArrowUp, color: "text-good" },
  down: { Icon: ArrowDown, color: "text-bad" },
};

function Change({
  change,
  before = "None",
  unit,
  words: [above, below] = ["more", "fewer"],
}: Pick<Stat, "change" | "before" | "unit" | "words">) {
  const period = `the ${DASHBOARD_DAYS} days before`;
  const look = change === null || change === 0 ? undefined : looks[change > 0 ? "up" : "down"];
  const Icon = look?.Icon ?? Minus;
  return (
    <p className="flex items-start gap-x-1.5 text-[0.8125rem] text-ink-2">
      <Icon
        aria-hidden
        className={cx("mt-0.75 size-3.5 shrink-0", look?.color ?? "text-ink-3")}
        strokeWidth={2.5}
      />
      <span>
        {look && (
          <span className={cx("font-semibold", look.color)}>
            {`${unit(Math.abs(change ?? 0))} ${look === looks.up ? above : below}`}{" "}
          </span>
        )}
        <span className="max-sm:sr-only">
          {look ? `than ${period}` : change === null ? `${before} in ${period}` : `Same as ${period}`}
        </span>
        {!look && (
          <span aria-hidden className="sm:hidden">
            {change === null ? before : "Same"}
          </span>
        )}
      </span>
    </p>
  );
}
