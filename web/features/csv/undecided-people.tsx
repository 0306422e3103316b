import { isolated } from "#contract/text/isolate.ts";
import { counted } from "#contract/text/count-text.ts";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Fault } from "#web/features/csv/fault.ts";
import { LEAVE_OUT } from "#web/features/csv/import-form.ts";
import type { Import } from "#web/features/csv/use-import.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { Pagination } from "#web/ui/list/pagination.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { lastPage } from "#web/ui/list/use-real-page.ts";

const PAGE_SIZE = 20;
const OPEN = "open";

type Props = { importing: Import; faults: readonly Fault[] };

/** People who share an email or phone number with someone on file: the manager decides who they are. */
export function UndecidedPeople({ importing, faults }: Props) {
  const { decisions, setDecisions } = importing;
  const [chosenPage, setPage] = useState(1);
  const list = useRef<HTMLOListElement>(null);
  if (faults.length === 0) return null;
  const page = Math.min(chosenPage, lastPage(faults.length, PAGE_SIZE));
  const turnTo = (next: number) => {
    flushSync(() => setPage(next));
    // The page begins far above the button that led to it.
    list.current?.querySelector("select")?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: "start" });
  };
  const decisionOf = ({ place }: Fault) => decisions.get(place ?? -1) ?? OPEN;
  const decide = (entries: [Fault, string][]) =>
    setDecisions(
      new Map([...decisions, ...entries.map(([{ place }, decision]) => [place ?? -1, decision] as const)]),
    );
  const forAll: Record<string, [Fault, string][]> = {
    out: faults.map((fault) => [fault, LEAVE_OUT]),
    update: faults.flatMap((fault): [Fault, string][] => {
      const [one, ...others] = fault.candidates ?? [];
      return one?.sameName && others.length === 0 ? [[fault, String(one.id)]] : [];
    }),
    new: faults.map((fault) => [fault, "new"]),
  };
  const done = Object.entries(forAll).find(
    ([, entries]) =>
      entries.length > 0 && entries.every(([fault, decision]) => decisionOf(fault) === decision),
  );
  const open = faults.filter((fault) => decisionOf(fault) === OPEN).length;
  const matching = forAll["update"]?.length ?? 0;
  const from = (page - 1) * PAGE_SIZE;
  const shown = faults.slice(from, from + PAGE_SIZE);
  return (
    <section aria-label="People you need to decide about" className="rounded-md border border-line text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-t-md bg-warn-soft px-3.5 py-2.5">
        <p className="min-w-0">
          <strong className="font-semibold">{counted(faults.length, "person")}</strong> may already be on
          file.{" "}
          {open === faults.length
            ? "They'll be left out unless you decide."
            : open > 0 && `${counted(open, "person")} will be left out unless you decide.`}
        </p>
        {faults.length > 1 && (
          <Select
            aria-label="Decide for all of them"
            className="w-76 max-sm:w-full"
            value={done?.[0] ?? OPEN}
            onChange={({ target: { value } }) => decide(forAll[value] ?? [])}
          >
            <option value={OPEN} disabled>
              Decide for all…
            </option>
            <option value="out">Leave all out</option>
            {matching > 0 && <option value="update">Update where the name matches ({matching})</option>}
            <option value="new">Add all as new people</option>
          </Select>
        )}
      </div>
      <ol ref={list} className="scroll-mt-2 divide-y divide-line border-t border-line">
        {shown.map((fault) => (
          <li
            key={fault.place}
            className="grid items-center gap-x-4 gap-y-2 px-3.5 py-2.5 sm:grid-cols-[minmax(0,1fr)_13rem]"
          >
            <p className="min-w-0 break-words">
              <span className="tabular text-ink-3">Row {fault.line}</span>{" "}
              <bdi translate="no" className="font-medium">
                {nationalPhone(fault.value)}
              </bdi>
              <span id={`undecided-${fault.place}`} className="block text-ink-2">
                {fault.reason}
              </span>
            </p>
            <Select
              aria-label={`Decision for row ${fault.line}`}
              aria-describedby={`undecided-${fault.place}`}
              value={decisionOf(fault)}
              onChange={({ target: { value } }) => decide([[fault, value]])}
            >
              <option value={OPEN} disabled>
                Decide…
              </option>
              <option value={LEAVE_OUT}>Leave out</option>
              {fault.candidates?.map(({ id, name, propertyUnit }) => (
                <option key={id} value={id}>
                  {`Update ${isolated(name)}${propertyUnit ? ` (${isolated(propertyUnit)})` : ""}`}
                </option>
              ))}
              <option value="new">Add as a new person</option>
            </Select>
          </li>
        ))}
      </ol>
      {faults.length > PAGE_SIZE && (
        <div className="border-t border-line px-2.5">
          <Pagination
            shown={shown.length}
            total={faults.length}
            noun={["person", "people"]}
            page={page}
            pageSize={PAGE_SIZE}
            onPage={turnTo}
          />
        </div>
      )}
    </section>
  );
}
