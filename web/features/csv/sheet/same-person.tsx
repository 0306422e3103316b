import { ChevronLeft, ChevronRight, Equal, EqualNot } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { SheetFault } from "#contract/calls/imports.ts";
import { fold } from "#contract/text/fold.ts";
import { fullName, splitFullName } from "#contract/text/full-name.ts";
import { isolated } from "#contract/text/isolate.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";
import type { Sheet } from "#web/features/csv/sheet/use-sheet.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Kbd } from "#web/ui/page/kbd.tsx";

type Candidate = NonNullable<SheetFault["candidates"]>[number];

/** How narrow a person's column may be, in rem. More of them than fit are scrolled to. */
const NARROWEST = 9;

type Props = { sheet: Sheet; faults: readonly SheetFault[] };

/** Someone in the file beside who they may be on file. The keys 1, 2 and 3 answer. */
export function SamePerson({ sheet, faults }: Props) {
  const [place, setPlace] = useState(0);
  const at = Math.min(place, faults.length - 1);
  const fault = faults[at]!;
  const decided = sheet.overview?.decisions[`${fault.line}:${fault.resident}`];
  const answers = answersFor(fault);
  const answer = useEffectEvent((index: number) => {
    const chosen = answers[index];
    if (!chosen) return;
    sheet.decide(fault, chosen.decision);
    if (at < faults.length - 1) setPlace(at + 1);
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return;
    answer(Number(event.key) - 1);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return (
    <section
      aria-labelledby="same-title"
      className="min-w-0 overflow-hidden rounded-lg border border-line bg-card shadow-card"
    >
      <div className="flex items-center gap-2 border-b border-line p-4">
        <h3 id="same-title" className="mr-auto font-semibold">
          Is this the same person?
        </h3>
        <span className="tabular text-sm text-ink-2">
          {at + 1} of {faults.length}
        </span>
        <Button
          size="icon"
          variant="ghost"
          aria-label="Previous person"
          icon={<ChevronLeft aria-hidden />}
          disabled={at === 0}
          onClick={() => setPlace(at - 1)}
        />
        <Button
          size="icon"
          variant="ghost"
          aria-label="Next person"
          icon={<ChevronRight aria-hidden />}
          disabled={at === faults.length - 1}
          onClick={() => setPlace(at + 1)}
        />
      </div>
      <Comparison key={`${fault.line}:${fault.resident}`} fault={fault} />
      <div className="flex flex-col gap-2 p-4">
        {answers.map(({ decision, title, detail }, index) => (
          <button
            key={decision}
            type="button"
            aria-pressed={decided === decision}
            onClick={() => answer(index)}
            className="flex items-center gap-3 rounded-md border border-line-strong bg-card px-3.5 py-2.5 text-left text-sm shadow-card hover:bg-hover aria-pressed:border-focus aria-pressed:bg-lamp-soft"
          >
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">{title}</span>
              <span className="block break-words text-ink-2">{detail}</span>
            </span>
            {index < 9 && <Kbd>{index + 1}</Kbd>}
          </button>
        ))}
      </div>
    </section>
  );
}

function nameIn({ person }: SheetFault): string {
  const { fullName: whole = "", firstName = "", lastName = "" } = person;
  return fullName(splitFullName(whole) ?? { firstName, lastName }) || whole;
}

function answersFor(fault: SheetFault): { decision: string; title: string; detail: string }[] {
  const candidates = fault.candidates ?? [];
  const name = isolated(nameIn(fault) || "this person");
  return [
    ...candidates.map(({ id, name: known, propertyUnit }) => ({
      decision: String(id),
      title: candidates.length === 1 ? "Same person" : `Same as ${isolated(known)}`,
      detail: `Update ${isolated(known)}${propertyUnit ? ` of ${isolated(propertyUnit)}` : ""} with this row`,
    })),
    {
      decision: "new",
      title: candidates.length > 1 ? "Someone else" : "Two people",
      detail: `Add ${name} beside them`,
    },
    { decision: "out", title: "Decide later", detail: `Leave row ${fault.line} out of this import` },
  ];
}

/** The row beside everyone on file whom it may be about. */
function Comparison({ fault }: { fault: SheetFault }) {
  const { person, candidates = [] } = fault;
  const several = candidates.length > 1;
  const home = [person["property"], person["propertyUnit"]].filter(Boolean).join(" / ");
  const rows: [label: string, inFile: string, onFile: (candidate: Candidate) => string | null][] = [
    ["Name", nameIn(fault), ({ name }) => name],
    ["Property/Unit", home, ({ propertyUnit }) => propertyUnit],
    ["Email", person["email"] ?? "", ({ email }) => email],
    ["Phone", person["phone"] ?? "", ({ phone }) => phone && nationalPhone(phone)],
  ];
  return (
    <div className="overflow-x-auto">
      <table
        className="w-full table-fixed text-sm"
        style={{ minWidth: `${(candidates.length + 1) * NARROWEST}rem` }}
      >
        <thead>
          <tr className="border-b border-line bg-sunk text-left align-top">
            <th scope="col" className="sticky left-0 bg-sunk px-4 py-2.5 font-semibold">
              In the file
              <span className="tabular block font-normal text-ink-2">Row {fault.line}</span>
            </th>
            {candidates.map(({ id }, index) => (
              <th key={id} scope="col" className="px-4 py-2.5 font-semibold">
                On file
                {several && <span className="tabular block font-normal text-ink-2">Answer {index + 1}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-b border-line">
          {rows.map(([label, inFile, onFile]) => (
            <tr key={label} className="align-top">
              <td className="sticky left-0 bg-card px-4 py-2.5">
                <span className="block text-ink-3">{label}</span>
                <bdi className="block font-medium break-words">{inFile || "–"}</bdi>
              </td>
              {candidates.map((candidate) => (
                <td key={candidate.id} className="px-4 py-2.5">
                  <Agreement inFile={inFile} onFile={onFile(candidate) ?? ""} />
                  <bdi className="block break-words">{onFile(candidate) || "–"}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Agreement({ inFile, onFile }: { inFile: string; onFile: string }) {
  if (inFile === "" && onFile === "") return <span className="block select-none">&nbsp;</span>;
  const same = comparable(inFile) === comparable(onFile);
  const Sign = same ? Equal : EqualNot;
  return (
    <span className={`flex items-center justify-end gap-1 ${same ? "text-good" : "text-warn"}`}>
      <Sign aria-hidden className="size-3.5" />
      {same ? "Same" : "Differs"}
    </span>
  );
}

/** Letters and digits only: "(415) 555-0188" and "415-555-0188" are one number. */
const comparable = (text: string) => fold(text).replaceAll(/[^\p{L}\p{N}@]/gu, "");
