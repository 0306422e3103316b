import { unguardFormula } from "#contract/csv-cells.ts";
import type { ColumnMeaning } from "#contract/csv-header.ts";
import type { Mapping } from "#web/features/csv/column-choices.ts";
import type { Fault } from "#web/features/csv/fault.ts";
import type { CsvRow } from "#web/features/csv/read-csv.ts";

type Props = { mapping: Mapping; rows: readonly CsvRow[]; faults: readonly Fault[] };

/** Row by row what is wrong, in a form that needs no scrolling sideways, whatever the file's width. */
export function FaultyRows({ mapping, rows, faults }: Props) {
  const byLine = Map.groupBy(faults, (fault) => fault.line);
  return (
    <ol className="divide-y divide-line rounded-md border border-line">
      {rows.map((row) => (
        <li key={row.line} className="px-3.5 py-2.5 text-sm">
          <p className="tabular flex gap-2">
            <span className="text-ink-3">Row {row.line}</span>
            <span className="min-w-0 truncate font-medium">{nameOf(row, mapping)}</span>
          </p>
          <ul className="mt-1 flex flex-col gap-1">
            {(byLine.get(row.line) ?? []).map((fault) => (
              <li key={`${fault.column} ${fault.reason}`} className="flex flex-wrap items-baseline gap-x-2">
                {fault.column !== null && <span className="text-ink-2">{fault.column}</span>}
                {fault.value !== "" && (
                  <span className="max-w-60 truncate rounded-sm bg-bad-soft px-1.5 text-bad">
                    {fault.value}
                  </span>
                )}
                <span className="text-bad">{fault.reason}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function nameOf({ cells }: CsvRow, mapping: Mapping): string {
  const cell = (meaning: ColumnMeaning) => unguardFormula(cells[mapping.indexOf(meaning)] ?? "").trim();
  return `${cell("firstName")} ${cell("lastName")}`.trim();
}
