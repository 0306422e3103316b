import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { unguardFormula } from "#contract/csv-cells.ts";
import type { ColumnMeaning } from "#contract/csv-header.ts";
import { meanings } from "#web/features/csv/column-choices.ts";
import type { FileSummary } from "#web/features/csv/import-file.ts";
import type { Import } from "#web/features/csv/use-import.ts";
import { Select } from "#web/ui/select.tsx";

const names: Record<ColumnMeaning, string> = {
  username: "Username",
  email: "Email",
  firstName: "First name",
  lastName: "Last name",
  phone: "Phone",
  role: "Role",
  propertyUnit: "Property/Unit",
  property: "Property alone",
};
const NOT_IMPORTED = "";

type Props = { importing: Import; summary: FileSummary };

/** What each column of the file is: recognised, chosen before in this browser, or chosen here. */
export function ColumnsForm({ importing, summary }: Props) {
  const { headers, mapping, ignored, headerTrouble, first } = summary;
  const [toggled, setToggled] = useState<boolean>();
  const list = useId();
  // Nothing can go on before the columns are right, so they are in view.
  const open = toggled ?? headerTrouble !== null;
  const taken = mapping.filter((meaning) => meaning !== null).length;
  return (
    <section aria-label="Columns" className="rounded-md border border-line">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={list}
        onClick={() => setToggled(!open)}
        className="flex w-full items-start gap-2 px-3.5 py-2.5 text-left text-sm touch:min-h-11"
      >
        <ChevronRight
          aria-hidden
          className={`mt-0.5 size-4 shrink-0 text-ink-3 transition-transform ${open ? "rotate-90" : ""}`}
        />
        <span className="min-w-0">
          <span className="font-semibold">Columns</span>{" "}
          <span className="text-ink-2">
            {taken} of {headers.length} imported
            {ignored.length > 0 && <span className="break-words text-ink-3">; not {ignored.join(", ")}</span>}
          </span>
        </span>
      </button>
      <ul id={list} hidden={!open} className="divide-y divide-line border-t border-line">
        {headers.map((header, place) => (
          <li
            key={`${place} ${header}`}
            className="grid grid-cols-[minmax(0,1fr)_minmax(0,11rem)] items-center gap-3 px-3.5 py-2"
          >
            <p className="min-w-0 text-sm">
              <span className="block truncate font-medium">{header || "(no name)"}</span>
              <span className="block truncate text-ink-3">{example(first, place)}</span>
            </p>
            <Select
              aria-label={`What ${header || `column ${place + 1}`} is`}
              value={mapping[place] ?? NOT_IMPORTED}
              onChange={({ target: { value } }) =>
                void importing.chooseColumn(place, meanings.find((one) => one === value) ?? null)
              }
            >
              <option value={NOT_IMPORTED}>Not imported</option>
              {meanings.map((meaning) => (
                <option key={meaning} value={meaning}>
                  {names[meaning]}
                </option>
              ))}
            </Select>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The first cell of a column that says something. */
function example(rows: FileSummary["first"], place: number): string {
  const cells = rows.map(({ cells }) => unguardFormula(cells[place] ?? "").trim());
  return cells.find((cell) => cell !== "") ?? "Empty in the first rows";
}
