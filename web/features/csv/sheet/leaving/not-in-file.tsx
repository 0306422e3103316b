import { LogOut } from "lucide-react";
import { useId, useState } from "react";
import { importResults } from "#contract/calls/import-results.ts";
import { people } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { useRead } from "#web/api/use-read.ts";
import type { Leaving, LeavingProperty } from "#web/features/csv/sheet/leaving/use-leaving.ts";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { Checkbox } from "#web/ui/form/checkbox.tsx";
import { DatePicker } from "#web/ui/form/date-picker.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Button } from "#web/ui/page/button.tsx";

type Props = { id: number; leaving: Leaving };

/** Who lives where the file's people live and isn't in the file, once all of it has been checked. */
export function NotInFile({ id, leaving }: Props) {
  const { data, error, isFetching, refetch } = useRead(
    importResults.leaving,
    { params: { id } },
    { fresh: true },
  );
  if (error)
    return (
      <ErrorState
        title="We couldn't check who isn't in this file"
        detail={error.message}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  // What an earlier check found may not be true any longer.
  if (!data || isFetching || data.properties.length === 0) return null;
  const total = data.properties.reduce((all, { leaving: number }) => all + number, 0);
  return (
    <section
      aria-labelledby="leaving-title"
      className="rounded-lg border border-line bg-card text-sm shadow-card"
    >
      <div className="flex items-start gap-3 border-b border-line px-4 py-3">
        <LogOut aria-hidden className="mt-0.5 size-4.5 shrink-0 text-ink-2" />
        <div className="min-w-0">
          <h4 id="leaving-title" className="text-base font-semibold">
            {people(total)} on file {total === 1 ? "isn't" : "aren't"} in this file
          </h4>
          <p className="text-ink-2">
            They stay as they are. If a property's list is complete, tick it, and the import marks them as
            moved out. No one is deleted.
          </p>
        </div>
      </div>
      <ul className="divide-y divide-line">
        {data.properties.map((property) => (
          <Property key={property.id} property={property} leaving={leaving} />
        ))}
      </ul>
      {leaving.chosen.length > 0 && (
        <div className="border-t border-line px-4 py-3">
          <Field
            label="Last day there"
            hint="From the next day on they get no more notices for their home."
            error={leaving.lastDay === "" ? "Enter a day" : undefined}
            required
            className="sm:max-w-xs"
          >
            {(wiring) => (
              <DatePicker
                {...wiring}
                value={leaving.lastDay}
                today={leaving.chosen[0]!.today}
                onChange={leaving.setLastDay}
              />
            )}
          </Field>
        </div>
      )}
    </section>
  );
}

function Property({ property, leaving }: { property: LeavingProperty; leaving: Leaving }) {
  const [open, setOpen] = useState(false);
  const list = useId();
  const complete = leaving.chosen.some((one) => one.id === property.id);
  const { name, people: all, leaving: number, first } = property;
  return (
    <li>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3">
        <Checkbox
          label={
            <>
              This file is complete for <bdi>{name}</bdi>
            </>
          }
          hint={`${numberText(number)} of ${people(all)} there ${whatOf(number, complete)}.`}
          checked={complete}
          onChange={(event) => leaving.choose(property, event.target.checked)}
        />
        <Button size="sm" aria-expanded={open} aria-controls={list} onClick={() => setOpen(!open)}>
          {open ? "Hide" : "See who"}
        </Button>
      </div>
      <ul
        id={list}
        hidden={!open}
        aria-label={`Not in the file, ${name}`}
        className="scroll-quiet max-h-72 divide-y divide-line overflow-y-auto border-t border-line"
      >
        {first.map((person) => (
          <li key={person.id} className="flex flex-wrap gap-x-4 px-4 py-2 sm:pl-11">
            <bdi className="min-w-40 font-medium">{person.name}</bdi>
            <bdi className="text-ink-2">{person.propertyUnit ?? "–"}</bdi>
          </li>
        ))}
        {number > first.length && (
          <li className="px-4 py-2 text-ink-3 sm:pl-11">And {numberText(number - first.length)} more.</li>
        )}
      </ul>
    </li>
  );
}

function whatOf(number: number, complete: boolean): string {
  if (complete) return number === 1 ? "moves out" : "move out";
  return number === 1 ? "isn't in it" : "aren't in it";
}
