import { useRef, useState } from "react";
import type { ImportOverview, SheetFault } from "#contract/calls/imports.ts";
import { counted } from "#contract/text/count-text.ts";
import { isolated } from "#contract/text/isolate.ts";
import { sameFix } from "#web/features/csv/sheet/same-fix.ts";
import { type CellFix, keyOf, type Sheet } from "#web/features/csv/sheet/use-sheet.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { Input } from "#web/ui/form/input.tsx";
import { Button } from "#web/ui/page/button.tsx";

const SHOWN = 50;

type Props = { sheet: Sheet; overview: ImportOverview; faults: readonly SheetFault[] };

/** The rows with cells to fix, and in them the columns that tell who it is. */
export function FaultRows({ sheet, overview, faults }: Props) {
  const [most, setMost] = useState(SHOWN);
  const list = useRef<HTMLTableSectionElement>(null);
  const { headers, mapping } = overview;
  const wrong = new Set(faults.map(({ column }) => column));
  const telling = /^(?:propertyUnit|property$|fullName|firstName|lastName|phone$|email$)/;
  // What a phone has room for beside the cells to fix.
  const who = /^(?:propertyUnit|(?:full|first|last)Name$)/;
  const columns = headers.flatMap((header, place) =>
    wrong.has(place) || telling.test(mapping[place] ?? "")
      ? [{ header: header || `Column ${place + 1}`, place }]
      : [],
  );
  const rows = [...Map.groupBy(faults, ({ line }) => line)];
  const toNext = (from: HTMLInputElement) => {
    const inputs = [...(list.current?.querySelectorAll("input") ?? [])];
    inputs[inputs.indexOf(from) + 1]?.focus();
  };
  return (
    <section
      aria-labelledby="faults-title"
      className="min-w-0 rounded-lg border border-line bg-card shadow-card"
    >
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line p-4">
        <h3 id="faults-title" className="font-semibold">
          {counted(faults.length, "cell")} to fix
        </h3>
        <p className="text-sm text-ink-2">Only rows that need you. Type in the cell.</p>
      </div>
      <div className="md:overflow-x-auto">
        <table className="w-full text-sm max-md:block">
          <thead className="max-md:hidden">
            <tr className="border-b border-line bg-sunk text-left text-ink-2">
              <th scope="col" className="w-12 px-3 py-2 font-medium">
                Row
              </th>
              {columns.map(({ header, place }) => (
                <th key={place} scope="col" className="border-l border-line px-3 py-2 font-medium">
                  <bdi>{header}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={list} className="divide-y divide-line max-md:block">
            {rows.slice(0, most).map(([line, own]) => (
              <tr key={line} className="align-top max-md:block max-md:p-3">
                <th
                  scope="row"
                  className="tabular px-3 py-2.5 text-center font-normal text-ink-3 max-md:block max-md:p-0 max-md:text-left"
                >
                  <span className="md:hidden">Row </span>
                  {line}
                </th>
                {columns.map(({ header, place }) => {
                  const fault = own.find(({ column }) => column === place);
                  const text = sheet.fixes.get(`${line}:${place}`) ?? own[0]?.cells[place] ?? "";
                  return (
                    <td
                      key={place}
                      className={cx(
                        "px-3 py-2.5 max-md:block max-md:px-0 max-md:py-1.5 md:border-l md:border-line",
                        fault
                          ? "min-w-52 md:bg-warn-soft/50"
                          : !who.test(mapping[place] ?? "") && "max-md:hidden",
                      )}
                    >
                      <span className="block text-ink-3 md:hidden">{header}</span>
                      {fault ? (
                        <FaultCell
                          sheet={sheet}
                          faults={faults}
                          fault={fault}
                          text={text}
                          header={header}
                          toNext={toNext}
                        />
                      ) : (
                        <bdi
                          className={cx("break-words text-ink-2", text.length < 16 && "md:whitespace-nowrap")}
                        >
                          {text.trim() || "–"}
                        </bdi>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <OtherFaults faults={faults.filter(({ column }) => column === null)} />
      <div className="flex flex-wrap items-center gap-3 border-t border-line p-4 text-sm text-ink-2">
        <span>Enter saves and goes to the next cell.</span>
        {rows.length > most && (
          <Button size="sm" className="ml-auto" onClick={() => setMost(most + SHOWN)}>
            Show more of {counted(rows.length, "row")}
          </Button>
        )}
      </div>
    </section>
  );
}

type CellProps = {
  sheet: Sheet;
  faults: readonly SheetFault[];
  fault: SheetFault;
  text: string;
  header: string;
  toNext: (from: HTMLInputElement) => void;
};

function FaultCell({ sheet, faults, fault, text, header, toNext }: CellProps) {
  const [draft, setDraft] = useState<string>();
  const typed = draft ?? text;
  const input = useRef<HTMLInputElement>(null);
  const { line, column, reason, kind } = fault;
  const id = `fault-${line}-${column}`;
  const fixed = sheet.fixes.has(keyOf(fault));
  const changed = typed.trim() !== text.trim();
  const alike: CellFix[] = faults.flatMap((other) => {
    if (other.column === null || other.column !== column || other.line === line || other.reason !== reason)
      return [];
    const before = sheet.fixes.get(keyOf(other)) ?? other.cells[other.column] ?? "";
    const after = sameFix(text, typed, before);
    return after === null ? [] : [{ line: other.line, column: other.column, text: after }];
  });
  const own = (): CellFix => ({ line, column: column ?? 0, text: typed });
  const save = (cells: CellFix[]) => {
    const from = input.current;
    if (from) toNext(from);
    setDraft(undefined);
    if (changed) sheet.fix(cells);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <Input
        ref={input}
        aria-label={`${isolated(header)} in row ${line}`}
        aria-describedby={id}
        aria-invalid={!fixed || undefined}
        placeholder={text === "" ? "Empty" : undefined}
        value={typed}
        onChange={({ target }) => setDraft(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          save([own()]);
        }}
      />
      <p id={id} className={cx("break-words", fixed ? "text-good" : "text-warn")}>
        {fixed ? "Saved. Checked with the next check." : reason}
        {!fixed && kind === "duplicate" && ". It stays out unless you change it."}
      </p>
      {changed && (
        <div className="flex flex-wrap gap-2">
          {alike.length > 0 && (
            <Button size="sm" onClick={() => save([own(), ...alike])}>
              Apply to {alike.length} like this
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={() => save([own()])}>
            {alike.length > 0 ? "Only here" : "Save"}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What is about a row as a whole, or about a column that the file doesn't have. */
function OtherFaults({ faults }: { faults: readonly SheetFault[] }) {
  if (faults.length === 0) return null;
  return (
    <ul className="divide-y divide-line border-t border-line text-sm">
      {faults.slice(0, SHOWN).map(({ line, resident, reason }) => (
        <li key={`${line}:${resident}`} className="flex gap-3 px-4 py-2.5">
          <span className="tabular text-ink-3">Row {line}</span>
          <span className="min-w-0 break-words text-warn">{reason}</span>
        </li>
      ))}
    </ul>
  );
}
