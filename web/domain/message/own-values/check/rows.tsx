import { useState } from "react";
import { values as calls, type ValuesOverview } from "#contract/calls/values.ts";
import { isolated } from "#contract/text/isolate.ts";
import { numberText } from "#contract/text/locale.ts";
import { useReadList } from "#web/api/use-read.ts";
import { RowsTable } from "#web/domain/message/own-values/check/rows-table.tsx";
import type { Check } from "#web/domain/message/own-values/check/use-check.ts";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { SearchInput } from "#web/ui/list/search-input.tsx";

export const ROWS_PER_PAGE = 25;

/** A row by its place in a list, from 1. */
export type Chosen = { only: "ready" | "all"; q: string; at: number };

type Props = {
  check: Check;
  overview: ValuesOverview;
  /** The row whose message is shown. */
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
};

/** The file's rows: those to fix, those that are ready, or all. */
export function Rows({ check, overview, chosen, onChoose }: Props) {
  const { toFix, ready, rows: all, problem } = overview;
  const [asked, setOnly] = useState<"to-fix" | Chosen["only"]>("to-fix");
  const [text, setText] = useState("");
  const [page, setPage] = useState(1);
  const only = asked === "to-fix" && toFix === 0 ? "ready" : asked;
  const typed = useDebounced(text.trim(), 200);
  const q = only === "to-fix" ? "" : typed;
  const read = useReadList(
    calls.rows,
    { params: { id: check.id }, query: { only, ...(q !== "" && { q }), page, pageSize: ROWS_PER_PAGE } },
    { fresh: true },
  );
  if (problem) return null;
  const segments = [
    ...(toFix > 0 ? [{ value: "to-fix" as const, label: <Counted word="To fix" number={toFix} /> }] : []),
    { value: "ready" as const, label: <Counted word="Ready" number={ready} /> },
    { value: "all" as const, label: <Counted word="All rows" number={all} /> },
  ];
  return (
    <section
      aria-label="Rows"
      tabIndex={-1}
      className="outline-none min-w-0 rounded-lg border border-line shadow-card"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-b border-line p-2">
        <Segmented
          label="Rows"
          segments={segments}
          value={only}
          onChange={(next) => {
            setOnly(next);
            setPage(1);
          }}
        />
        {only === "to-fix" ? (
          <span className="pr-1.5 text-sm text-ink-3">Row numbers as in your file</span>
        ) : (
          <SearchInput
            label="Search rows"
            placeholder="Search rows"
            value={text}
            onChange={(next) => {
              setText(next);
              setPage(1);
            }}
            className="min-w-40 flex-1"
          />
        )}
      </div>
      <div className="px-3 max-rows:pt-1 [&>nav]:border-t [&>nav]:border-line">
        <ListStates
          read={read}
          failed="We couldn't load the rows"
          skeleton={<SkeletonRows rows={4} className="h-11" />}
          empty={
            <p className="py-8 text-center text-sm text-ink-2">
              {q === "" ? "There is no row here." : `No row has “${isolated(q)}”.`}
            </p>
          }
          pages={{ noun: ["row", "rows"], page, pageSize: ROWS_PER_PAGE, onPage: setPage }}
        >
          {(rows, stale) => (
            <RowsTable
              check={check}
              overview={overview}
              rows={rows}
              stale={stale}
              chosen={(place) => only === chosen.only && q === chosen.q && placeOf(page, place) === chosen.at}
              onChoose={
                only === "to-fix" ? undefined : (place) => onChoose({ only, q, at: placeOf(page, place) })
              }
            />
          )}
        </ListStates>
      </div>
      {only === "to-fix" && (
        <p className="border-t border-line px-3.5 py-3 text-sm text-ink-2">
          {overview.kept
            ? "Rows to fix are left out. Download them, correct them, and send them in a message of their own."
            : "Rows to fix are left out. Correct their cells here, where Enter saves and goes to the next one, or in your file and replace it. You can also send to the others now and to these later."}
        </p>
      )}
    </section>
  );
}

const placeOf = (page: number, place: number) => (page - 1) * ROWS_PER_PAGE + place + 1;

function Counted({ word, number }: { word: string; number: number }) {
  return (
    <span className="tabular">
      {word} <span className="text-ink-3">{numberText(number)}</span>
    </span>
  );
}
