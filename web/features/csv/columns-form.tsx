import { useState } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { personDetails } from "#contract/text/kept-details.ts";
import { choicesIn } from "#contract/text/sheet-columns.ts";
import { meaningName } from "#web/features/csv/meaning-name.ts";
import { Disclosure } from "#web/features/csv/disclosure.tsx";
import type { FileSummary } from "#web/features/csv/import-file.ts";
import type { Import } from "#web/features/csv/use-import.ts";
import { Select } from "#web/ui/form/select.tsx";

const NOT_IMPORTED = "";

/** What each column of the file holds: recognized, or chosen here. */
export function ColumnsForm({ importing, summary }: { importing: Import; summary: FileSummary }) {
  const { headers, headerLine, mapping, headerTrouble, examples } = summary;
  const [toggled, setToggled] = useState<boolean>();
  // Nothing can be imported before the columns are right, so they are in view.
  const open = toggled ?? headerTrouble !== null;
  const imported = mapping.filter((meaning) => meaning !== null).length;
  const ignored = headers.filter((header, place) => mapping[place] === null && header !== "reason");
  const choices = choicesIn(mapping, personDetails());
  return (
    <Disclosure
      title="Columns"
      summary={`${(headerLine ?? 1) > 1 ? `Names in row ${headerLine}. ` : ""}${imported} of ${headers.length} imported${ignored.length > 0 ? `, not ${ignored.join(", ")}` : ""}`}
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
              <span className="block truncate text-ink-3">{examples[place] || "Empty"}</span>
            </p>
            <Select
              aria-label={`What ${isolated(header || `column ${place + 1}`)} is`}
              value={mapping[place] ?? NOT_IMPORTED}
              onChange={({ target: { value } }) => {
                // It opened on its own. It must not close on its own between two choices.
                setToggled(true);
                importing.chooseColumn(place, choices.find((one) => one === value) ?? null);
              }}
            >
              <option value={NOT_IMPORTED}>Not imported</option>
              {choices.map((meaning) => (
                <option key={meaning} value={meaning}>
                  {meaningName(meaning)}
                </option>
              ))}
            </Select>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
