import { counted } from "#contract/count-text.ts";
import type { Fault } from "#web/features/csv/fault.ts";
import type { Import } from "#web/features/csv/use-import.ts";
import { Select } from "#web/ui/select.tsx";

const SHOWN = 20;
const LEAVE_OUT = "";

type Props = { importing: Import; faults: readonly Fault[] };

/** People who share an email or phone number with someone on file: the manager decides who they are. */
export function UndecidedPeople({ importing, faults }: Props) {
  const { decisions, setDecisions } = importing;
  if (faults.length === 0) return null;
  const decide = (chosen: readonly Fault[], choose: (fault: Fault) => string) => {
    const next = new Map(decisions);
    for (const fault of chosen) {
      const decision = choose(fault);
      if (decision === LEAVE_OUT) next.delete(fault.place ?? -1);
      else next.set(fault.place ?? -1, decision);
    }
    setDecisions(next);
  };
  return (
    <section aria-label="People you need to decide about" className="rounded-md border border-line text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-t-md bg-warn-soft px-3.5 py-2.5">
        <p className="min-w-0">
          <strong className="font-semibold">{counted(faults.length, "person")}</strong> may already be on file
          under another name. They'll be left out unless you decide.
        </p>
        {faults.length > 1 && (
          <Select
            aria-label="Decide for all of them"
            className="w-52"
            value="choose"
            onChange={({ target: { value } }) =>
              decide(faults, ({ candidates: [one, ...others] = [] }) => {
                if (value !== "update") return value;
                return one && others.length === 0 ? String(one.id) : LEAVE_OUT;
              })
            }
          >
            <option value="choose" disabled>
              Decide for all…
            </option>
            <option value={LEAVE_OUT}>Leave all out</option>
            <option value="update">Update the people on file</option>
            <option value="new">Add all as new people</option>
          </Select>
        )}
      </div>
      <ol className="divide-y divide-line border-t border-line">
        {faults.slice(0, SHOWN).map((fault) => (
          <li
            key={fault.place}
            className="grid items-center gap-x-4 gap-y-2 px-3.5 py-2.5 sm:grid-cols-[minmax(0,1fr)_13rem]"
          >
            <p className="min-w-0 break-words">
              <span className="tabular text-ink-3">Row {fault.line}</span>{" "}
              <span className="font-medium">{fault.value}</span>
              <span id={`undecided-${fault.place}`} className="block text-ink-2">
                {fault.reason}
              </span>
            </p>
            <Select
              aria-label={`Decision for row ${fault.line}`}
              aria-describedby={`undecided-${fault.place}`}
              value={decisions.get(fault.place ?? -1) ?? LEAVE_OUT}
              onChange={({ target: { value } }) => decide([fault], () => value)}
            >
              <option value={LEAVE_OUT}>Leave out</option>
              {fault.candidates?.map(({ id, name, propertyUnit }) => (
                <option key={id} value={id}>
                  Update {name}
                  {propertyUnit ? ` (${propertyUnit})` : ""}
                </option>
              ))}
              <option value="new">Add as a new person</option>
            </Select>
          </li>
        ))}
      </ol>
      {faults.length > SHOWN && (
        <p className="border-t border-line px-3.5 py-2.5 text-ink-3">
          The first {SHOWN} of {counted(faults.length, "person")}.
        </p>
      )}
    </section>
  );
}
