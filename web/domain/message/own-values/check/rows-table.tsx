import { UserMinus } from "lucide-react";
import { useRef } from "react";
import type { ValueColumn, ValueRow, ValuesOverview } from "#contract/calls/values.ts";
import { columnLetter, columnName, shownColumns } from "#web/domain/message/own-values/check/columns.ts";
import { TroubleCell } from "#web/domain/message/own-values/check/trouble-cell.tsx";
import type { Check } from "#web/domain/message/own-values/check/use-check.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { Tooltip } from "#web/ui/feedback/tooltip.tsx";
import { Button } from "#web/ui/page/button.tsx";

type Props = {
  check: Check;
  overview: ValuesOverview;
  rows: readonly ValueRow[];
  stale: boolean;
  /** Whether the message of the row in this place of the page is shown. */
  chosen: (place: number) => boolean;
  /** Shows the message of a row. Omitted: none of them is sent. */
  onChoose?: ((place: number) => void) | undefined;
};

/** Rows as in the file: with its numbers and letters, and what is wrong in its cells. */
export function RowsTable({ check, overview, rows, stale, chosen, onChoose }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const wrong = rows.flatMap(({ troubles }) => troubles.flatMap(({ column }) => column ?? []));
  const places = shownColumns(overview, new Set(wrong));
  const toNext = (from: HTMLElement) => {
    const inputs = [...(table.current?.querySelectorAll<HTMLElement>("input, select") ?? [])];
    // Behind the last one, there is no cell any longer.
    (inputs[inputs.indexOf(from) + 1] ?? table.current?.closest("section"))?.focus();
  };
  return (
    <div className="-mx-3 scroll-quiet md:overflow-x-auto">
      <table
        ref={table}
        aria-busy={stale || undefined}
        className={cx("w-full text-sm max-md:block", stale && "cursor-progress")}
      >
        <thead className="max-md:hidden">
          <tr className="border-b border-line bg-sunk text-left text-ink-2">
            <th scope="col" className="px-3 py-2 font-medium">
              Row
            </th>
            {places.map((place) => (
              <th
                key={place}
                scope="col"
                className={cx("px-2.5 py-2 font-medium", isRight(overview.columns[place]) && "text-right")}
              >
                <span className="text-ink-3">{columnLetter(place)}</span>{" "}
                <bdi>{columnName(overview, place)}</bdi>
              </th>
            ))}
            <th scope="col" className="px-2 py-2 font-medium">
              <span className="sr-only">Leave out</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-md:block">
          {rows.map((row, index) => (
            <Row
              key={row.line}
              {...{ check, overview, row, places, toNext }}
              chosen={chosen(index)}
              onChoose={onChoose && row.state === "ready" ? () => onChoose(index) : undefined}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isFinding = (column: ValueColumn | undefined) => Boolean(column && "finds" in column);

const isRight = (column: ValueColumn | undefined) =>
  Boolean(column && "field" in column && (column.as === "amount" || column.as === "number"));

type RowProps = Pick<Props, "check" | "overview"> & {
  row: ValueRow;
  places: readonly number[];
  toNext: (from: HTMLElement) => void;
  chosen: boolean;
  onChoose?: (() => void) | undefined;
};

function Row({ check, overview, row, places, toNext, chosen, onChoose }: RowProps) {
  const { line, cells, troubles, state } = row;
  const { kept } = overview;
  // What no cell is at fault for is about whom the row is for.
  const who = places.find((place) => isFinding(overview.columns[place])) ?? places[0];
  return (
    <tr
      aria-current={chosen || undefined}
      onClick={onChoose}
      className={cx(
        "align-top max-md:block max-md:px-3 max-md:py-2.5",
        onChoose && "cursor-pointer hover:bg-hover",
        chosen && "bg-lamp-soft!",
        state === "left-out" && "text-ink-3",
      )}
    >
      <th
        scope="row"
        className="tabular px-3 py-2.5 text-left font-normal text-ink-3 max-md:block max-md:p-0"
      >
        <span className="md:hidden">Row </span>
        {onChoose ? (
          <button
            type="button"
            aria-label={`Show the message of row ${line}`}
            className="rounded-sm underline-offset-4 hover:underline touch:min-h-11 touch:min-w-11"
          >
            {line}
          </button>
        ) : (
          line
        )}
      </th>
      {places.map((place) => {
        const trouble = troubles.find(({ column }) => (column ?? who) === place);
        const text = (cells[place] ?? "").trim();
        return (
          <td
            key={place}
            className={cx(
              "px-2.5 max-md:px-0 max-md:py-1",
              trouble ? "py-1.5 max-md:block" : "py-2.5 max-md:gap-2",
              !trouble && (text === "" ? "max-md:hidden" : "max-md:flex"),
              isRight(overview.columns[place]) && "tabular md:text-right",
            )}
          >
            <span className="shrink-0 text-ink-3 md:hidden">{columnName(overview, place)}</span>
            {trouble ? (
              <TroubleCell {...{ check, overview, line, text, trouble, toNext }} place={place} />
            ) : (
              <bdi title={text} className="line-clamp-2 break-words">
                {text || "–"}
              </bdi>
            )}
          </td>
        );
      })}
      <td className="px-2 py-1.5 text-right max-md:block max-md:px-0 max-md:text-left">
        {!kept && state === "to-fix" && (
          <Tooltip content="Leave this row out">
            <Button
              size="icon"
              variant="ghost"
              aria-label={`Leave out row ${line}`}
              icon={<UserMinus aria-hidden />}
              onClick={() => check.change({ decisions: { [line]: "out" } })}
            />
          </Tooltip>
        )}
        {state === "left-out" &&
          (kept ? (
            "Left out"
          ) : (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Put row ${line} back`}
              onClick={() => check.change({ decisions: { [line]: "" } })}
            >
              Put back
            </Button>
          ))}
      </td>
    </tr>
  );
}
