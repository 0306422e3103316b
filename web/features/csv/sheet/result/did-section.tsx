import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { DidKind } from "#contract/calls/import-results.ts";
import { numberText } from "#contract/text/locale.ts";
import { DidList } from "#web/features/csv/sheet/result/did-list.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = {
  id: number;
  kind: DidKind;
  number: number;
  /** "moved in" */
  word: string;
  /** What that means for them. */
  meaning: string;
  icon: ReactNode;
  tone: string;
  open?: boolean;
};

/** One line of what an import did, which opens to who it is about. */
export function DidSection({ id, kind, number, word, meaning, icon, tone, open: first = false }: Props) {
  const [open, setOpen] = useState(first);
  const list = useId();
  if (number === 0) return null;
  return (
    <section aria-label={`${numberText(number)} ${word}`}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={list}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-3 px-4 py-3 text-left hover:bg-hover"
      >
        <span aria-hidden className={cx("grid size-8 shrink-0 place-items-center rounded-md", tone)}>
          {icon}
        </span>
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
          <span className="font-semibold">
            <span className="tabular text-lg">{numberText(number)}</span> {word}
          </span>
          <span className="min-w-0 text-sm text-ink-2">{meaning}</span>
        </span>
        <ChevronDown
          aria-hidden
          className={cx("size-4.5 shrink-0 text-ink-3 transition-transform", open && "rotate-180")}
        />
      </button>
      <div id={list} hidden={!open}>
        {open && <DidList id={id} kind={kind} total={number} />}
      </div>
    </section>
  );
}
