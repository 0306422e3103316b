import { ArrowRight } from "lucide-react";
import { useState } from "react";
import {
  type DidKind,
  type ImportedPerson,
  importResults,
  type PersonChange,
} from "#contract/calls/import-results.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { numberText } from "#contract/text/locale.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRead } from "#web/api/use-read.ts";
import { changeLabel, changeValue, keptText } from "#web/features/csv/sheet/result/change-text.ts";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { Button } from "#web/ui/page/button.tsx";

const FIRST = 5;

type Props = { id: number; kind: DidKind; total: number };

/** To whom an import did this: a few, then all of them, a page at a time. */
export function DidList({ id, kind, total }: Props) {
  const read = useRead(importResults.people, { params: { id }, query: { kind } }, { fresh: true });
  const [all, setAll] = useState(false);
  const [more, setMore] = useState<{ people: ImportedPerson[]; after: number | null } | null>(null);
  const [loading, setLoading] = useState(false);
  async function next(after: number) {
    setLoading(true);
    try {
      const page = await call(importResults.people, { params: { id }, query: { kind, after } });
      setMore({ people: [...(more?.people ?? []), ...page.people], after: page.after });
    } catch (error) {
      toast({ title: "We couldn't load more people", description: reasonOf(error), variant: "destructive" });
    } finally {
      setLoading(false);
    }
  }
  return (
    <ReadStates
      read={read}
      failed="We couldn't load these people"
      skeleton={<Skeleton className="m-4 h-24 rounded-md" />}
    >
      {(first) => {
        const loaded = [...first.people, ...(more?.people ?? [])];
        const after = more ? more.after : first.after;
        const shown = all ? loaded : loaded.slice(0, FIRST);
        return (
          <ul className="divide-y divide-line border-t border-line text-sm">
            {shown.map((person) => (
              <PersonRow key={person.id} person={person} />
            ))}
            {!all && total > shown.length && (
              <li className="px-4 py-1.5 sm:pl-14">
                <Button variant="ghost" size="sm" className="-ml-3" onClick={() => setAll(true)}>
                  Show all {numberText(total)}
                </Button>
              </li>
            )}
            {all && after !== null && (
              <li className="px-4 py-1.5 sm:pl-14">
                <Button
                  variant="ghost"
                  size="sm"
                  className="-ml-3"
                  busy={loading}
                  onClick={() => void next(after)}
                >
                  Show more ({numberText(total - loaded.length)})
                </Button>
              </li>
            )}
          </ul>
        );
      }}
    </ReadStates>
  );
}

function PersonRow({
  person: { name, propertyUnit, changes, left, lastDay, undone, deleted },
}: {
  person: ImportedPerson;
}) {
  const former = changes.find(({ field }) => field === "name")?.before;
  const others = changes.filter(({ field }) => field !== "name");
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,13rem)_minmax(0,9rem)_minmax(0,1fr)] sm:pl-14">
      <span className="min-w-0 break-words">
        <bdi className="font-medium">{name || "Deleted person"}</bdi>
        {former && (
          <span className="text-ink-3">
            {" "}
            was <bdi>{former}</bdi>
          </span>
        )}
      </span>
      <bdi className="min-w-0 break-words text-ink-2">{propertyUnit ?? "–"}</bdi>
      <div className="flex min-w-0 flex-col gap-1">
        {others.map((change) => (
          <Change key={`${change.field} ${change.label}`} change={change} />
        ))}
        {left !== null && (
          <span className="text-ink-2">
            {left === "past" ? "Past in the file" : "Not in the file"}
            {lastDay !== null && `, last day ${dayText(lastDay)}`}
          </span>
        )}
        {undone !== null && (
          <span className="text-ink-3">
            {undone === "done" ? "Undone" : `Not undone: ${keptText[undone]}`}
          </span>
        )}
        {undone === null && deleted && <span className="text-ink-3">Deleted since</span>}
      </div>
    </li>
  );
}

function Change({ change }: { change: PersonChange }) {
  const [before, after] = [changeValue(change, change.before), changeValue(change, change.after)];
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-ink-2">{changeLabel(change)}</span>
      {before === null ? (
        <span className="text-ink-3">None</span>
      ) : (
        <del className="min-w-0 break-words text-ink-3">
          <bdi>{before}</bdi>
        </del>
      )}
      <span className="sr-only">to</span>
      <ArrowRight aria-hidden className="size-3.5 self-center text-ink-3" />
      {after === null ? (
        <span className="text-ink-3">None</span>
      ) : (
        <ins className="min-w-0 break-words no-underline">
          <bdi>{after}</bdi>
        </ins>
      )}
    </span>
  );
}
