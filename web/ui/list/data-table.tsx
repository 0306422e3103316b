/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   a table displayed as a block loses its roles in Safari, so they are said aloud. */
import type { KeyboardEvent, ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";

/**
 * Where a column goes when the table becomes cards: next to the title (`icon`), as the `title`, below it (`detail`), at
 * either end of the last line (`start`, `end`), on a full-width line (`wide`), on a line with the header as its label
 * (`line`), at its right in a dense table (`beside`), in the upper right corner (`menu`, in cards without an `end`), or nowhere, because the card shows it
 * elsewhere (`none`).
 */
type CardPlace = "beside" | "icon" | "title" | "detail" | "start" | "end" | "wide" | "line" | "menu" | "none";

export type Column<Row> = {
  id: string;
  header: string;
  /** Below the header. */
  mark?: ReactNode;
  cell: (row: Row) => ReactNode;
  card?: CardPlace;
  /** Utility classes for header and cells, such as a width or an alignment. */
  className?: string;
};

type Props<Row> = {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Highlights a row where something is in progress. */
  lit?: (row: Row) => boolean;
  /** The rows are still those of the previous page. */
  stale?: boolean;
  /** Columns keep their width regardless of content. The one without a width gets the rest. */
  fixed?: boolean;
  /**
   * Rows of one line, 44 px high. On narrow screens they stay lines of one card: the `title`, what stands `beside` it, and
   * below both what is `wide`.
   */
  dense?: boolean;
};

const places: Record<CardPlace, string> = {
  beside: "cards:row-start-1 cards:self-center",
  icon: "cards:[grid-area:icon] cards:mr-3",
  title: "cards:[grid-area:title] cards:self-center",
  detail: "cards:[grid-area:detail] cards:text-ink-3",
  start: "cards:[grid-area:start] cards:mt-3 cards:self-center",
  end: "cards:[grid-area:end] cards:mt-3 cards:self-center cards:text-right cards:text-ink-2",
  wide: "cards:[grid-area:wide] cards:mt-3",
  line: "cards:col-span-full cards:mt-2 cards:flex cards:justify-between cards:gap-4 cards:*:min-w-0 cards:before:text-ink-3 cards:before:content-[attr(data-label)]",
  menu: "cards:[grid-area:menu] cards:-mt-2 cards:-mr-2 cards:ml-1",
  none: "cards:hidden",
};

const rowLook =
  "relative transition-colors hover:bg-hover has-[[aria-current]]:bg-hover has-[[aria-current]]:shadow-[inset_3px_0_0_var(--ink)] rows:border-t rows:border-line ";
const rowClass =
  rowLook +
  "cards:grid cards:grid-cols-[auto_minmax(0,1fr)_auto] cards:rounded-lg cards:border cards:border-line cards:bg-card cards:p-4 cards:shadow-card " +
  "cards:[grid-template-areas:'icon_title_title''icon_detail_detail''start_start_end''wide_wide_wide'] " +
  "cards:has-data-[card=menu]:[grid-template-areas:'icon_title_menu''icon_detail_menu''start_start_start''wide_wide_wide']";
const denseBody =
  "cards:block cards:overflow-hidden cards:rounded-lg cards:border cards:border-line cards:bg-card";
const denseRowClass =
  rowLook +
  "cards:grid cards:min-h-11 cards:auto-cols-auto cards:grid-flow-col cards:grid-cols-[minmax(0,1fr)] cards:py-1 cards:pr-1 cards:pl-4 cards:not-first:border-t cards:not-first:border-line";
const densePlaces: Partial<Record<CardPlace, string>> = {
  ...places,
  title: "cards:row-start-1 cards:col-start-1 cards:self-center cards:py-1",
  wide: "cards:row-start-2 cards:[grid-column:1/span_4] cards:pr-3 cards:pb-1.5 cards:empty:hidden",
};
const cellClass =
  "tabular rows:px-2.5 rows:first:pl-4 rows:last:pr-4 rows:snug:px-2 rows:snug:first:pl-4 rows:snug:last:pr-4";

const litClass = "bg-[linear-gradient(90deg,var(--lamp-soft),transparent_55%)]";

/** Spread onto the link in a row's title cell. The whole row becomes that link, and arrow keys move between rows. */
export const rowLink = {
  "data-row-link": "",
  className:
    "font-semibold outline-none after:absolute after:inset-0 after:content-[''] cards:after:rounded-lg " +
    "focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus",
  onKeyDown: walkRows,
} as const;

/** For any other control in such a row, which has to be above the link. */
export const aboveRowLink = "relative z-1";

/** A table. With `rowLink` in a cell, each row is a link. On narrow screens, each row becomes a card. */
export function DataTable<Row>({ label, columns, rows, rowKey, lit, stale, fixed, dense }: Props<Row>) {
  return (
    <TableFrame>
      <table
        role="table"
        aria-label={label}
        aria-busy={stale || undefined}
        className={cx(
          "w-full border-collapse text-left text-sm transition-opacity cards:block",
          fixed && "rows:table-fixed",
          stale && "cursor-progress",
        )}
      >
        <TableHead columns={columns} />
        <tbody role="rowgroup" className={dense ? denseBody : "cards:grid cards:gap-3"}>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className={cx(dense ? denseRowClass : rowClass, lit?.(row) && litClass)}
            >
              {columns.map((column) => (
                <td
                  key={column.id}
                  role="cell"
                  data-card={column.card ?? "line"}
                  data-label={column.header}
                  className={cx(
                    cellClass,
                    dense ? "rows:h-11 rows:py-1" : "rows:h-14.5 rows:py-2",
                    (dense ? densePlaces : places)[column.card ?? "line"],
                    column.className,
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** Its columns are as wide as the table's own place allows, beside whatever stands there. */
function TableFrame({ children }: { children: ReactNode }) {
  return <div className="@container">{children}</div>;
}

function TableHead<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead role="rowgroup" className="cards:sr-only">
      <tr role="row">
        {columns.map((column) => (
          <th
            key={column.id}
            role="columnheader"
            scope="col"
            className={cx(
              "h-10 px-2.5 text-[0.8125rem] font-medium whitespace-nowrap text-ink-2 first:pl-4 last:pr-4 rows:snug:px-2 rows:snug:leading-4.5 rows:snug:whitespace-normal rows:snug:first:pl-4 rows:snug:last:pr-4",
              column.className,
            )}
          >
            {column.header}
            {column.mark && <span className="block leading-3">{column.mark}</span>}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The same table while its rows are loading. */
export function TableSkeleton<Row>({
  columns,
  rows = 5,
  fixed,
  dense,
}: {
  columns: readonly Column<Row>[];
  rows?: number;
  fixed?: boolean;
  dense?: boolean;
}) {
  return (
    <TableFrame>
      <table
        aria-hidden
        className={cx("w-full border-collapse text-left text-sm cards:block", fixed && "rows:table-fixed")}
      >
        <TableHead columns={columns} />
        <tbody className={dense ? denseBody : "cards:grid cards:gap-3"}>
          {Array.from({ length: rows }, (_, index) => (
            <tr key={index} className={dense ? denseRowClass : rowClass}>
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={cx(
                    cellClass,
                    dense ? "rows:h-11" : "rows:h-14.5",
                    (dense ? densePlaces : places)[column.card ?? "line"],
                    column.className,
                  )}
                >
                  <Skeleton className={column.card === "icon" ? "size-7.5" : "my-1 h-4 w-4/5 min-w-16"} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function walkRows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const table = event.currentTarget.closest("table");
  if (!step || !table) return;
  const links = [...table.querySelectorAll<HTMLElement>("[data-row-link]")];
  const next = links[links.indexOf(event.currentTarget) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
