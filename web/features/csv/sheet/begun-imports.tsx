import { FileSpreadsheet } from "lucide-react";
import { imports } from "#contract/calls/imports.ts";
import { isolated } from "#contract/text/isolate.ts";
import { useReadList } from "#web/api/use-read.ts";
import { Button } from "#web/ui/page/button.tsx";

/** The spreadsheets that this person uploaded lately and didn't import to the end. */
export function BegunImports({ onOpen }: { onOpen: (id: number) => void }) {
  const { data } = useReadList(imports.list, {}, { fresh: true });
  if (!data || data.rows.length === 0) return null;
  return (
    <ul
      aria-label="Spreadsheets you began to import"
      className="divide-y divide-line rounded-md border border-line"
    >
      {data.rows.map(({ id, name }) => (
        <li key={id} className="flex items-center gap-3 px-3.5 py-2 text-sm">
          <FileSpreadsheet aria-hidden className="size-4 shrink-0 text-ink-3" />
          <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
          <Button size="sm" aria-label={`Continue importing ${isolated(name)}`} onClick={() => onOpen(id)}>
            Continue
          </Button>
        </li>
      ))}
    </ul>
  );
}
