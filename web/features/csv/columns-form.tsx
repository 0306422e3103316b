import { useState } from "react";
import { unguardFormula } from "#contract/csv-cells.ts";
import type { ColumnMeaning } from "#contract/csv-header.ts";
import { meanings } from "#web/features/csv/column-choices.ts";
import { Disclosure } from "#web/features/csv/disclosure.tsx";
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
  // Nothing can go on before the columns are right, so they are in view.
  const open = toggled ?? headerTrouble !== null;
  const taken = mapping.filter((meaning) => meaning !== null).length;
  const left = ignored.length > 0 ? `; not ${ignored.join(", ")}` : "";
  return (
    <Disclosure
      title="Columns"
      now={`${taken} of ${headers.length} imported${left}`}
      open={open}
      onOpenChange={setToggled}
    >
      <ul className="divide-y divide-line">
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
              onChange={({ target: { value } }) => {
                // It opened by itself; it must not close by itself between two choices.
                setToggled(true);
                void importing.chooseColumn(place, meanings.find((one) => one === value) ?? null);
              }}
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
    </Disclosure>
  );
}

/** The first cell of a column that says something. */
function example(rows: FileSummary["first"], place: number): string {
  const cells = rows.map(({ cells }) => unguardFormula(cells[place] ?? "").trim());
  return cells.find((cell) => cell !== "") ?? "Empty in the first rows";
}
