import { CircleAlert } from "lucide-react";
import { unguardFormula } from "#contract/csv-cells.ts";
import type { Fault } from "#web/features/csv/fault.ts";
import type { CsvRow } from "#web/features/csv/read-csv.ts";
import { cx } from "#web/ui/class-names.ts";

type Props = {
  label: string;
  headers: readonly string[];
  ignored: readonly string[];
  rows: readonly CsvRow[];
  faults: readonly Fault[];
};

/** Rows as they stand in the file, with each trouble said in its own cell. */
export function RowsTable({ label, headers, ignored, rows, faults }: Props) {
  const byLine = Map.groupBy(faults, (fault) => fault.line);
  return (
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-md border border-line"
    >
      <table className="tabular w-full border-collapse text-left text-[0.8125rem]">
        <thead>
          <tr className="bg-sunk text-ink-2">
            <th scope="col" className="sticky left-0 bg-sunk px-3 py-2 font-medium">
              Row
            </th>
            {headers.map((header, place) => (
              <th
                key={`${place} ${header}`}
                scope="col"
                className={cx(
                  "px-3 py-2 font-medium whitespace-nowrap",
                  ignored.includes(header) && "text-ink-3",
                )}
              >
                {header}
                {ignored.includes(header) && <span className="font-normal"> (not imported)</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.line} row={row} headers={headers} faults={byLine.get(row.line) ?? []} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type RowProps = { row: CsvRow; headers: readonly string[]; faults: readonly Fault[] };

function Row({ row, headers, faults }: RowProps) {
  const whole = faults.find((fault) => fault.column === null);
  return (
    <>
      <tr className="border-t border-line align-top">
        <th scope="row" className="sticky left-0 bg-card px-3 py-2 font-medium text-ink-3">
          {row.line}
        </th>
        {headers.map((header, place) => (
          <Cell
            key={`${place} ${header}`}
            value={unguardFormula(row.cells[place] ?? "").trim()}
            fault={faults.find((fault) => fault.column === header)}
          />
        ))}
      </tr>
      {whole && (
        <tr>
          <td colSpan={headers.length + 1} className="bg-bad-soft px-3 py-1.5 text-bad">
            <Reason text={whole.reason} />
          </td>
        </tr>
      )}
    </>
  );
}

function Cell({ value, fault }: { value: string; fault: Fault | undefined }) {
  return (
    <td className={cx("px-3 py-2", fault && "bg-bad-soft")}>
      <span title={value} className="block max-w-52 truncate">
        {value}
      </span>
      {fault && <Reason text={fault.reason} />}
    </td>
  );
}

function Reason({ text }: { text: string }) {
  return (
    <span className="flex min-w-44 items-start gap-1 text-bad">
      <CircleAlert aria-hidden className="mt-[3px] size-3.5 shrink-0" />
      {text}
    </span>
  );
}
