import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ValuesOverview } from "#contract/calls/values.ts";
import { counted } from "#contract/text/count-text.ts";
import { troubleCount } from "#contract/text/value-troubles.ts";
import { columnName } from "#web/domain/message/own-values/check/columns.ts";
import { cx } from "#web/ui/browser/class-names.ts";

/** "3 things to fix", or "4 things to fix in 3 rows". */
function thingsToFix({ toFix, troubles }: ValuesOverview): string {
  const things = troubles.reduce((sum, { rows }) => sum + rows, 0);
  return `${counted(things, "thing")} to fix${things === toFix ? "" : ` in ${counted(toFix, "row")}`}`;
}

/** How many rows need someone, and the kinds of trouble, the most frequent first. */
export function ToFix({ overview }: { overview: ValuesOverview }) {
  const { toFix, ready, leftOut, troubles, problem } = overview;
  if (problem) return null;
  const fine = toFix === 0;
  const details = fine
    ? `${counted(ready, "row")} can be sent.`
    : troubles
        .map(({ kind, column, rows }) =>
          troubleCount(kind, rows, column === null ? null : columnName(overview, column)),
        )
        .join(" · ");
  return (
    <div className="flex items-start gap-3">
      <span
        aria-hidden
        className={cx(
          "grid size-8 shrink-0 place-items-center rounded-md [&_svg]:size-4",
          fine ? "bg-good-soft text-good" : "bg-bad-soft text-bad",
        )}
      >
        {fine ? <CircleCheck /> : <TriangleAlert />}
      </span>
      <div aria-live="polite" className="min-w-0 text-sm">
        <p className="tabular font-semibold">{fine ? "Nothing to fix" : thingsToFix(overview)}</p>
        <p className="tabular break-words text-ink-2">
          {details}
          {leftOut > 0 && ` ${fine ? "" : "· "}You left out ${counted(leftOut, "row")}.`}
        </p>
      </div>
    </div>
  );
}
