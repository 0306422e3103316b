import { CircleAlert } from "lucide-react";
import { numberText } from "#contract/text/locale.ts";
import { type Fault, tasksOf } from "#web/features/csv/fault.ts";
import { type Column, DataTable } from "#web/ui/list/data-table.tsx";

const SHOWN = 100;

const columns: Column<Fault>[] = [
  {
    id: "row",
    header: "Row",
    card: "start",
    cell: (fault) => (
      <span className="text-ink-3">
        <span className="md:hidden">Row </span>
        {fault.line}
      </span>
    ),
  },
  {
    id: "column",
    header: "Column",
    card: "end",
    cell: (fault) => fault.column ?? "Whole row",
  },
  {
    id: "value",
    header: "Value",
    card: "detail",
    cell: (fault) => <span className="line-clamp-2 max-w-44 min-w-16 wrap-anywhere">{fault.value}</span>,
  },
  {
    id: "reason",
    header: "Reason",
    card: "title",
    className: "md:w-1/2",
    cell: (fault) => <span className="text-bad">{fault.reason}</span>,
  },
];

/** "To import every row: fix 3 phone numbers, enter 2 missing last names". */
export function TaskList({ faults }: { faults: readonly Fault[] }) {
  if (faults.length === 0) return null;
  return (
    <div className="flex gap-2.5 rounded-md bg-bad-soft px-3.5 py-3 text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">To import every row:</p>
        <ul className="mt-0.5 list-disc gap-x-6 pl-4 text-ink-2 marker:text-ink-3 sm:columns-2">
          {tasksOf(faults).map((task) => (
            <li key={task} className="break-inside-avoid">
              {task}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The cells that keep rows from being imported. */
export function FaultTable({ faults }: { faults: readonly Fault[] }) {
  if (faults.length === 0) return null;
  return (
    <>
      <div className="md:rounded-md md:border md:border-line">
        <DataTable
          label="What to fix"
          columns={columns}
          rows={faults.slice(0, SHOWN)}
          rowKey={(fault) => `${fault.line} ${fault.column} ${fault.place}`}
        />
      </div>
      {faults.length > SHOWN && (
        <p className="text-sm text-ink-3">
          The first {SHOWN} of {numberText(faults.length)}. After the import you can download all of them.
        </p>
      )}
    </>
  );
}
