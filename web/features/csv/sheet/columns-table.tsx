import { Check, ChevronLeft, ChevronRight, Minus } from "lucide-react";
import { useState } from "react";
import type { ImportOverview, StatusMeaning } from "#contract/calls/imports.ts";
import { counted } from "#contract/text/count-text.ts";
import { residentOf } from "#contract/text/csv-header.ts";
import { isolated } from "#contract/text/isolate.ts";
import { numberText } from "#contract/text/locale.ts";
import { choicesIn, withChoice } from "#contract/text/sheet-columns.ts";
import { meaningName } from "#web/features/csv/meaning-name.ts";
import { peopleIn } from "#web/features/csv/sheet/people-in.ts";
import type { Sheet } from "#web/features/csv/sheet/use-sheet.ts";
import { usePersonDetails } from "#web/domain/person-details.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { Select } from "#web/ui/form/select.tsx";
import { Button } from "#web/ui/page/button.tsx";

const SHOWN = 3;
const NOT_IMPORTED = "";

type Props = { sheet: Sheet; overview: ImportOverview };

/** What each column holds, beside the first rows of people. */
export function ColumnsTable({ sheet, overview }: Props) {
  const { headers, mapping, examples, remembered } = overview;
  const [from, setFrom] = useState(0);
  const start = Math.min(from, Math.max(0, examples.length - 1));
  const shown = examples.slice(start, start + SHOWN);
  const columns = headers.flatMap((header, place) =>
    header !== "" || examples.some(({ cells }) => (cells[place] ?? "").trim() !== "")
      ? [{ header, place }]
      : [],
  );
  const first = shown.find(({ cells }) => peopleIn(headers, mapping, cells) !== "");
  const known = columns.filter(({ place }) => (mapping[place] ?? null) !== null).length;
  // A file may have a second person, although no name of a column says so.
  const choices = choicesIn([...mapping, "fullName 2"], usePersonDetails());
  return (
    <section
      aria-labelledby="columns-title"
      className="min-w-0 rounded-lg border border-line bg-card shadow-card"
    >
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line p-4">
        <div>
          <h3 id="columns-title" className="font-semibold">
            What each column means
          </h3>
          <p className="text-sm text-ink-2">
            {remembered
              ? "As you chose for an earlier file with these columns."
              : `We recognized ${known} of ${counted(columns.length, "column")}.`}{" "}
            Change any that we got wrong.
            {first && ` Row ${first.line} is ${isolated(peopleIn(headers, mapping, first.cells))}.`}
          </p>
        </div>
        {examples.length > SHOWN && (
          <div className="flex items-center gap-2 text-sm text-ink-2">
            <span className="tabular">
              Rows {shown[0]?.line} to {shown.at(-1)?.line}
            </span>
            <Button
              size="icon"
              aria-label="Earlier rows"
              icon={<ChevronLeft aria-hidden />}
              disabled={start === 0}
              onClick={() => setFrom(Math.max(0, start - SHOWN))}
            />
            <Button
              size="icon"
              aria-label="Later rows"
              icon={<ChevronRight aria-hidden />}
              disabled={start + SHOWN >= examples.length}
              onClick={() => setFrom(start + SHOWN)}
            />
          </div>
        )}
      </div>
      <div
        aria-hidden
        className="hidden gap-4 border-b border-line px-4 py-2.5 text-sm text-ink-2 md:grid md:grid-cols-[10rem_minmax(0,1fr)_16rem]"
      >
        <span>In your file</span>
        <span className="grid grid-cols-3 gap-3">
          {shown.map(({ line }) => (
            <span key={line} className="tabular">
              Row {line}
            </span>
          ))}
        </span>
        <span className="pl-7">In Porchlight</span>
      </div>
      <ul className="divide-y divide-line">
        {columns.map(({ header, place }) => {
          const meaning = mapping[place] ?? null;
          const name = header || `Column ${place + 1}`;
          return (
            <li key={place} className="px-4 py-2.5 text-sm">
              <div className="grid items-center gap-x-4 gap-y-2 md:grid-cols-[10rem_minmax(0,1fr)_16rem]">
                <bdi className={cx("truncate font-semibold", meaning === null && "text-ink-3")}>{name}</bdi>
                <div className="grid grid-cols-3 gap-3 text-ink-2">
                  {shown.map(({ line, cells }) => (
                    <bdi key={line} className="truncate" title={cells[place]}>
                      {cells[place]?.trim() || "–"}
                    </bdi>
                  ))}
                </div>
                <div className="flex items-center gap-3">
                  {meaning === null ? (
                    <Minus aria-hidden className="size-4 shrink-0 text-ink-3" />
                  ) : (
                    <Check aria-hidden className="size-4 shrink-0 text-good" />
                  )}
                  <Select
                    className="min-w-0 flex-1"
                    aria-label={`What ${isolated(name)} is`}
                    value={meaning ?? NOT_IMPORTED}
                    onChange={({ target: { value } }) => {
                      const choice = choices.find((one) => one === value) ?? null;
                      const next = withChoice(mapping, place, choice);
                      void sheet.change({ mapping: [...next] }, { mapping: [...next] });
                    }}
                  >
                    <option value={NOT_IMPORTED}>Not imported</option>
                    {choices.map((one) => (
                      <option key={one} value={one}>
                        {meaningName(one)}
                      </option>
                    ))}
                  </Select>
                </div>
              </div>
              <SecondPerson overview={overview} place={place} />
              {meaning === "status" && <Statuses sheet={sheet} overview={overview} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** "126 of 163 rows have one", below the name of a further resident. */
function SecondPerson({ overview, place }: { overview: ImportOverview; place: number }) {
  const meaning = overview.mapping[place];
  const resident = meaning ? residentOf(meaning) : 1;
  const named = overview.residents[String(resident)];
  if (resident < 2 || !meaning?.startsWith("fullName") || named === undefined) return null;
  return (
    <p className="tabular mt-1 text-ink-3 md:ml-auto md:w-64 md:pl-7">
      {numberText(named)} of {counted(overview.rows, "row")} {named === 1 ? "has" : "have"} one
    </p>
  );
}

const statusNames: Record<StatusMeaning, string> = {
  lives: "Lives here",
  "moving-in": "Moving in",
  "moved-out": "Moved out",
  applicant: "Applicant",
  evicted: "Eviction",
  vacant: "Vacant",
};

const isImported = (meaning: StatusMeaning) => meaning === "lives" || meaning === "moving-in";

function Statuses({ sheet, overview }: Props) {
  return (
    <ul className="mt-3 grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {overview.statuses.map(({ text, rows, meaning }) => (
        <li key={text} className="rounded-md border border-line bg-paper p-3">
          <p className="mb-2 flex gap-2">
            <bdi className="min-w-0 truncate font-semibold">{text || "(empty)"}</bdi>
            <span className="tabular text-ink-3">{numberText(rows)}</span>
          </p>
          <Select
            aria-label={`What the status ${isolated(text || "(empty)")} means`}
            value={meaning}
            onChange={({ target: { value } }) => {
              const chosen = value as StatusMeaning;
              const statuses = overview.statuses.map((one) =>
                one.text === text ? { ...one, meaning: chosen } : one,
              );
              void sheet.change({ statuses: { [text]: chosen } }, { statuses });
            }}
          >
            {Object.entries(statusNames).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
          <p className={cx("mt-1.5", isImported(meaning) ? "text-good" : "text-ink-3")}>
            {isImported(meaning) ? "Imported" : meaning === "moved-out" ? "Moved out if on file" : "Left out"}
          </p>
        </li>
      ))}
    </ul>
  );
}
