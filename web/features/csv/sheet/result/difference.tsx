import { CircleCheck, Equal, LogIn, LogOut, PencilLine, Undo2 } from "lucide-react";
import { type ImportResults, importResults } from "#contract/calls/import-results.ts";
import { counted, people } from "#contract/text/count-text.ts";
import { useRead } from "#web/api/use-read.ts";
import { changedText } from "#web/features/csv/sheet/result/change-text.ts";
import { DidSection } from "#web/features/csv/sheet/result/did-section.tsx";
import { LeftOut } from "#web/features/csv/sheet/result/left-out.tsx";
import { leftOutOnPurpose } from "#web/features/csv/sheet/left-out-text.ts";
import { StepTitle } from "#web/features/csv/sheet/step-title.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { nearbyInSentence } from "#web/ui/time/format-time.ts";

/** What a finished import did. */
export function Difference({ id }: { id: number }) {
  const read = useRead(importResults.read, { params: { id } }, { fresh: true });
  return (
    <ReadStates
      read={read}
      failed="We couldn't load the result of this import"
      skeleton={<Skeleton className="mx-auto h-96 max-w-6xl rounded-lg" />}
    >
      {(result) => <Result result={result} />}
    </ReadStates>
  );
}

function Result({ result }: { result: ImportResults }) {
  const { id, name, by, finishedAt, counts, changed, left, absent, property, undo, unreachable } = result;
  const undone = undo.progress;
  const onPurpose = leftOutOnPurpose(absent);
  const aside = left.rows > 0 || onPurpose.length > 0 || unreachable > 0;
  return (
    <div className="mx-auto flex max-w-[84rem] flex-col gap-6 py-2">
      <div className="flex items-center gap-4">
        <span
          aria-hidden
          className={cx(
            "grid size-12 shrink-0 place-items-center rounded-full",
            undone ? "bg-sunk text-ink-2" : "bg-good-soft text-good",
          )}
        >
          {undone ? <Undo2 className="size-6" /> : <CircleCheck className="size-6" />}
        </span>
        <div className="min-w-0">
          <StepTitle key="ended">{undone ? undoneTitle(undone.done) : doneTitle(result)}</StepTitle>
          <p className="break-words text-ink-2">
            <bdi>{name}</bdi>, imported{" "}
            {property !== "" && (
              <>
                to <bdi>{property}</bdi>{" "}
              </>
            )}
            {nearbyInSentence(finishedAt)} by <bdi>{by}</bdi>
          </p>
        </div>
      </div>
      <div
        className={cx(
          "grid grid-cols-1 items-start gap-5",
          aside && "lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]",
        )}
      >
        <div className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-card shadow-card empty:hidden">
          <DidSection
            id={id}
            kind="new"
            number={counts.new}
            word="moved in"
            meaning="New people"
            icon={<LogIn className="size-4.5" />}
            tone="bg-good-soft text-good"
          />
          <DidSection
            id={id}
            kind="out"
            number={counts.out}
            word="moved out"
            meaning="They get no more notices once they have moved. Their history is kept."
            icon={<LogOut className="size-4.5" />}
            tone="bg-sunk text-ink-2"
            open
          />
          <DidSection
            id={id}
            kind="changed"
            number={counts.changed}
            word="changed"
            meaning={changedText(changed)}
            icon={<PencilLine className="size-4.5" />}
            tone="bg-info-soft text-info"
            open
          />
          <DidSection
            id={id}
            kind="same"
            number={counts.same}
            word="unchanged"
            meaning="Already on file exactly like this"
            icon={<Equal className="size-4.5" />}
            tone="bg-sunk text-ink-2"
          />
        </div>
        {aside && (
          <div className="flex flex-col gap-5">
            {unreachable > 0 && !undone && (
              <section
                aria-label="Can't be reached"
                className="rounded-lg border border-line bg-card p-4 text-sm shadow-card"
              >
                <h4 className="font-semibold">{people(unreachable)} can't be reached</h4>
                <p className="text-ink-2">
                  {unreachable} of the {counted(counts.new, "new person", "new people")}{" "}
                  {unreachable === 1 ? "has" : "have"} no email address and no phone number.
                </p>
              </section>
            )}
            <LeftOut id={id} left={left} onPurpose={onPurpose} />
          </div>
        )}
      </div>
    </div>
  );
}

const undoneTitle = (done: boolean) => (done ? "This import was undone" : "This import is partly undone");

function doneTitle({ counts, homes }: ImportResults): string {
  const number = counts.new + counts.changed + counts.same;
  if (counts.new + counts.out + counts.changed === 0)
    return number > 0 ? "Nothing changed" : "No one was imported";
  const where = homes > 0 ? ` in ${counted(homes, "home")}` : "";
  return `${people(number)}${where} ${number === 1 ? "is" : "are"} up to date`;
}
