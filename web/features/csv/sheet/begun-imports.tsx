import { FileSpreadsheet } from "lucide-react";
import type { ReactNode } from "react";
import { type ImportResults, importResults } from "#contract/calls/import-results.ts";
import { imports } from "#contract/calls/imports.ts";
import { numberText } from "#contract/text/locale.ts";
import { isolated } from "#contract/text/isolate.ts";
import { useReadList } from "#web/api/use-read.ts";
import { Button } from "#web/ui/page/button.tsx";
import { nearby } from "#web/ui/time/format-time.ts";

type Props = { onOpen: (id: number) => void };

const SHOWN = 3;

/** The spreadsheets that this person uploaded lately and didn't import to the end, and what everyone's imports did. */
export function BegunImports({ onOpen }: Props) {
  const begun = useReadList(imports.list, {}, { fresh: true }).data?.rows ?? [];
  const ended = useReadList(importResults.list, {}, { fresh: true }).data?.rows ?? [];
  return (
    <>
      <Files label="Spreadsheets you began to import">
        {begun.map(({ id, name }) => (
          <File key={id} name={name}>
            <Button size="sm" aria-label={`Continue importing ${isolated(name)}`} onClick={() => onOpen(id)}>
              Continue
            </Button>
          </File>
        ))}
      </Files>
      <Files label="Imported within a week">
        {ended.slice(0, SHOWN).map(({ id, name, finishedAt, by, counts }) => (
          <File key={id} name={name} note={`${didText(counts)}. ${nearby(finishedAt)}, ${isolated(by)}`}>
            <Button
              size="sm"
              aria-label={`Result of ${isolated(name)}, ${nearby(finishedAt)}`}
              onClick={() => onOpen(id)}
            >
              Result
            </Button>
          </File>
        ))}
      </Files>
    </>
  );
}

/** "12 new, 3 changed" */
function didText(counts: ImportResults["counts"]): string {
  const parts = [
    [counts.new, "new"],
    [counts.out, "moved out"],
    [counts.changed, "changed"],
  ] as const;
  const text = parts.flatMap(([number, word]) => (number > 0 ? [`${numberText(number)} ${word}`] : []));
  return text.join(", ") || "Nothing changed";
}

function Files({ label, children }: { label: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-md border border-line">
      {children}
    </ul>
  );
}

function File({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3 px-3.5 py-2 text-sm">
      <FileSpreadsheet aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate">{name}</bdi>
        {note && <span className="block break-words text-ink-3">{note}</span>}
      </span>
      {children}
    </li>
  );
}
