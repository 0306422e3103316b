import { CircleAlert } from "lucide-react";
import { useId, useRef, useState } from "react";
import type { RowTrouble, ValuesOverview } from "#contract/calls/values.ts";
import { isolated } from "#contract/text/isolate.ts";
import { troubleText } from "#contract/text/value-troubles.ts";
import { columnName } from "#web/domain/message/own-values/check/columns.ts";
import type { Check } from "#web/domain/message/own-values/check/use-check.ts";
import { Select } from "#web/ui/form/select.tsx";
import { Button } from "#web/ui/page/button.tsx";

type Props = { check: Check; overview: ValuesOverview; line: number; trouble: RowTrouble };
type CellProps = Props & {
  place: number;
  text: string;
  /** Moves the focus to the next cell to fix. */
  toNext: (from: HTMLElement) => void;
};

/** A cell that needs someone: typed anew in place, with what is wrong below it. */
export function TroubleCell({ check, overview, line, place, text, trouble, toNext }: CellProps) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const typed = draft ?? text;
  const save = () => {
    if (draft !== undefined && draft.trim() !== text) check.fix({ line, column: place, text: draft });
  };
  return (
    <div className="inline-flex w-full min-w-30 flex-col rounded-md border border-bad bg-bad-soft text-left">
      <input
        ref={input}
        type="text"
        aria-label={`${isolated(columnName(overview, place))} in row ${line}`}
        aria-describedby={id}
        aria-invalid
        autoComplete="off"
        dir="auto"
        disabled={overview.kept}
        placeholder="Empty"
        value={typed}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape" && draft !== undefined) {
            // Only what was typed is dropped, not the dialog.
            event.stopPropagation();
            setDraft(undefined);
          } else if (event.key === "Enter") {
            event.preventDefault();
            toNext(event.currentTarget);
            event.currentTarget.blur();
          }
        }}
        className="h-8 w-full rounded-md bg-transparent px-2 text-ink outline-none placeholder:text-bad focus-visible:bg-card focus-visible:outline-2 focus-visible:outline-focus touch:h-11 touch:text-[1rem]"
      />
      <TroubleNote id={id} {...{ check, overview, line, trouble }} />
    </div>
  );
}

/** What is wrong, and the choice that settles it. */
function TroubleNote({ id, check, overview, line, trouble }: Props & { id: string }) {
  const { candidates = [], earlier } = trouble;
  return (
    <div className="flex flex-col gap-1.5 px-2 pt-0.5 pb-1.5 text-left">
      <p id={id} className="flex items-start gap-1.5 font-semibold text-bad">
        <CircleAlert aria-hidden className="mt-[3px] size-3.5 shrink-0" />
        {troubleText(trouble)}
      </p>
      {candidates.length > 0 && !overview.kept && (
        <Select
          aria-label={`Who row ${line} is for`}
          value=""
          onChange={({ target }) => check.change({ decisions: { [line]: target.value } })}
        >
          <option value="" disabled>
            Choose who it is
          </option>
          {candidates.map(({ id: userId, name, propertyUnit }) => (
            <option key={userId} value={userId}>
              {[name, propertyUnit].filter(Boolean).join(" · ")}
            </option>
          ))}
        </Select>
      )}
      {earlier !== undefined && !overview.kept && (
        <Button size="sm" onClick={() => check.change({ decisions: { [earlier]: "out" } })}>
          Use this row
        </Button>
      )}
    </div>
  );
}
