import { ArrowRight } from "lucide-react";
import { useState } from "react";
import {
  type ChosenColumn,
  findingColumns,
  type ValueColumn,
  type ValuesOverview,
  type ValuesProblem,
} from "#contract/calls/values.ts";
import { isolated } from "#contract/text/isolate.ts";
import { listText } from "#contract/text/locale.ts";
import { detailKinds, personDetails } from "#contract/text/kept-details.ts";
import { fieldLabel } from "#web/domain/message/fields.ts";
import {
  columnLetter,
  columnName,
  columnsAtAGlance,
  filledColumns,
  findsText,
  kindText,
  withColumn,
} from "#web/domain/message/own-values/check/columns.ts";
import type { Check } from "#web/domain/message/own-values/check/use-check.ts";
import { Input } from "#web/ui/form/input.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { Button } from "#web/ui/page/button.tsx";

type Props = {
  check: Check;
  overview: ValuesOverview;
  /** The message's, that the file may fill. */
  fields: readonly string[];
};

const problems: Record<ValuesProblem, string> = {
  "no-one-found": "Choose the column that says whom a row is for: a username, email, phone number or home.",
  "no-field": "Choose the column with the values.",
};

/** What each column is for: at a glance, or to be changed. */
export function Columns({ check, overview, fields }: Props) {
  const { problem, open, kept } = overview;
  const [asked, setAsked] = useState(false);
  const editing = !kept && (asked || problem !== null);
  const missing = open.filter((field) => fields.includes(field));
  return (
    <section aria-label="Columns" className="flex flex-col gap-3 p-3.5 text-sm">
      {problem && (
        <p role="alert" className="text-bad">
          {problems[problem]}
        </p>
      )}
      {editing ? (
        <Editor check={check} overview={overview} fields={fields} />
      ) : (
        <Glance overview={overview} />
      )}
      {!problem && missing.length > 0 && (
        <p className="text-ink-2">No column fills {listText(missing.map((field) => `{{${field}}}`))}.</p>
      )}
      {!kept && problem === null && (
        <div>
          <Button
            size="sm"
            variant="ghost"
            className="-ml-3"
            aria-expanded={editing}
            onClick={() => setAsked(!asked)}
          >
            {editing ? "Done" : "Change columns"}
          </Button>
        </div>
      )}
    </section>
  );
}

function Glance({ overview }: { overview: ValuesOverview }) {
  const { columns } = overview;
  return (
    <ul className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
      {columnsAtAGlance(overview).map((place) => (
        <li key={place} className="flex min-w-0 items-center gap-2">
          <span className="w-5 shrink-0 text-ink-3">{columnLetter(place)}</span>
          <bdi className="max-w-1/2 min-w-0 truncate font-semibold">{columnName(overview, place)}</bdi>
          <ArrowRight aria-hidden className="size-3.5 shrink-0 text-ink-3" />
          <span className="min-w-0 flex-1 truncate text-ink-2">
            <span className="sr-only">: </span>
            <Use column={columns[place] ?? null} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Use({ column }: { column: ValueColumn }) {
  if (!column) return "not used";
  if ("finds" in column) return findsText[column.finds][0];
  return (
    <span className="rounded-sm border border-lamp bg-lamp-soft px-1.5 py-0.5 font-medium text-lamp-ink">
      {column.field.replaceAll("_", " ")}
    </span>
  );
}

function Editor({ check, overview, fields }: Props) {
  const { columns, top, headerLine, property } = overview;
  const [typed, setTyped] = useState<string>();
  const set = (place: number, next: ValueColumn, sent: ChosenColumn = next) => {
    const changed = withColumn(columns, place, next);
    const chosen: readonly ChosenColumn[] = changed;
    check.change({ columns: chosen.with(place, sent) }, { columns: changed });
  };
  const saveProperty = () => {
    if (typed !== undefined && typed !== property) check.change({ property: typed }, { property: typed });
    setTyped(undefined);
  };
  return (
    <div className="flex flex-col gap-3">
      <Select
        aria-label="Row with the headings"
        value={headerLine}
        onChange={({ target }) => check.change({ headerLine: Number(target.value) })}
      >
        {top.map(({ line, cells }) => (
          <option key={line} value={line}>
            {`Headings are in row ${line}: ${cells.filter((cell) => cell.trim() !== "").join(", ")}`}
          </option>
        ))}
        <option value={0}>No row has headings</option>
      </Select>
      <ul className="flex flex-col gap-3">
        {filledColumns(overview).map((place) => (
          <ColumnRow
            key={place}
            overview={overview}
            place={place}
            fields={fields}
            onChange={(next, sent) => set(place, next, sent)}
          />
        ))}
      </ul>
      {columns.some((column) => column && "finds" in column && column.finds === "home") &&
        !columns.some((column) => column && "finds" in column && column.finds === "property") && (
          <Field label="Property" hint="If the homes' names don't contain it.">
            {(wiring) => (
              <Input
                {...wiring}
                value={typed ?? property}
                onChange={({ target }) => setTyped(target.value)}
                onBlur={saveProperty}
                onKeyDown={(event) => {
                  if (event.key === "Enter") saveProperty();
                }}
              />
            )}
          </Field>
        )}
    </div>
  );
}

const EXAMPLES = 3;

type RowProps = {
  overview: ValuesOverview;
  place: number;
  fields: readonly string[];
  /** `sent`: with what the server is to guess left out. */
  onChange: (next: ValueColumn, sent?: ChosenColumn) => void;
};

function ColumnRow({ overview, place, fields, onChange }: RowProps) {
  const column = overview.columns[place] ?? null;
  const name = columnName(overview, place);
  const examples = overview.top
    .filter(({ line, cells }) => line > overview.headerLine && (cells[place] ?? "").trim() !== "")
    .slice(0, EXAMPLES)
    .map(({ cells }) => (cells[place] ?? "").trim());
  const offered = [...new Set([...fields, ...(column && "field" in column ? [column.field] : [])])];
  const choose = (value: string) => {
    const finds = findingColumns.find((one) => value === `finds:${one}`);
    const field = offered.find((one) => value === `field:${one}`);
    if (finds) onChange({ finds });
    else if (field !== undefined) onChange({ field, as: kindOf(field) }, { field });
    else onChange(null);
  };
  return (
    <li className="grid items-start gap-x-3 gap-y-1.5 sm:grid-cols-[minmax(0,1fr)_17rem]">
      <p className="min-w-0">
        <span className="text-ink-3">{columnLetter(place)} </span>
        <bdi className="font-semibold break-words">{name}</bdi>
        {examples.length > 0 && <bdi className="block truncate text-ink-3">{examples.join(" · ")}</bdi>}
      </p>
      <div className="flex flex-col gap-1.5">
        <Select
          aria-label={`What ${isolated(name)} is for`}
          value={!column ? "" : "finds" in column ? `finds:${column.finds}` : `field:${column.field}`}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">Not used</option>
          <optgroup label="Fills">
            {offered.map((field) => (
              <option key={field} value={`field:${field}`}>
                {`Fills ${fieldLabel(field).toLowerCase()}`}
              </option>
            ))}
          </optgroup>
          <optgroup label="Says whom it is for">
            {findingColumns.map((one) => (
              <option key={one} value={`finds:${one}`}>
                {findsText[one][1]}
              </option>
            ))}
          </optgroup>
        </Select>
        {column && "field" in column && (
          <Select
            aria-label={`How ${isolated(name)} is written`}
            value={column.as}
            onChange={({ target }) => {
              const as = detailKinds.find((kind) => kind === target.value);
              if (as) onChange({ ...column, as });
            }}
          >
            {detailKinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindText[kind]}
              </option>
            ))}
          </Select>
        )}
      </div>
    </li>
  );
}

const kindOf = (field: string) => personDetails().find((one) => one.field === field)?.kind ?? "text";
