import { Undo2 } from "lucide-react";
import { useState } from "react";
import { groups } from "#contract/calls/groups.ts";
import { type ImportResults, importResults, type UndoProgress } from "#contract/calls/import-results.ts";
import { places } from "#contract/calls/places.ts";
import { users } from "#contract/calls/users.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { people } from "#contract/text/count-text.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRead, useRefresh } from "#web/api/use-read.ts";
import { keptText } from "#web/features/csv/sheet/result/change-text.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { Progress } from "#web/ui/feedback/progress.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { Button } from "#web/ui/page/button.tsx";
import { dayAndTime } from "#web/ui/time/format-time.ts";

/** Offers to undo a finished import, as long as that is possible. */
export function UndoImport({ id }: { id: number }) {
  const { data } = useRead(importResults.read, { params: { id } });
  const [asking, setAsking] = useState(false);
  if (!data) return null;
  const { undo, counts } = data;
  const begun = undo.progress !== null && !undo.progress.done;
  if (undo.until === null && !begun) return null;
  return (
    <div className="mr-auto flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:w-full">
      <Button icon={<Undo2 aria-hidden />} onClick={() => setAsking(true)}>
        {begun ? "Continue undoing" : "Undo this import"}
      </Button>
      {undo.until !== null && (
        <p className="text-sm text-ink-2">
          Until <strong className="font-semibold text-ink">{dayAndTime(undo.until)}</strong>.{" "}
          {promise(counts)}
        </p>
      )}
      {asking && <Question id={id} onClose={() => setAsking(false)} />}
    </div>
  );
}

/** "Removes the 231, brings back the 5, and restores the 21." */
function promise({ new: added, out, changed }: ImportResults["counts"]): string {
  const parts = [
    ...(added > 0 ? [`removes the ${numberText(added)}`] : []),
    ...(out > 0 ? [`brings back the ${numberText(out)}`] : []),
    ...(changed > 0 ? [`restores the ${numberText(changed)}`] : []),
  ];
  const text = listText(parts);
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

type Check = ReplyOf<typeof importResults.checkUndo>;

function Question({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useRead(importResults.checkUndo, { params: { id } }, { fresh: true });
  const refresh = useRefresh();
  const [progress, setProgress] = useState<UndoProgress | "begins" | null>(null);
  const check = read.data;
  const number = check ? check.people - check.kept : 0;

  async function undo() {
    setProgress("begins");
    let done: UndoProgress | null = null;
    try {
      do {
        done = await call(importResults.undo, { params: { id } });
        setProgress(done);
      } while (!done.done);
      toast({
        title: "The import was undone",
        description: done.kept > 0 ? `${people(done.kept)} stay as they are.` : undefined,
      });
    } catch (error) {
      if (!(error instanceof CancelledError))
        toast({
          title: done ? "The import is partly undone" : "Nothing was undone",
          description: `${reasonOf(error)}${done ? " You can continue." : ""}`,
          variant: "destructive",
        });
    }
    onClose();
    await refresh(
      importResults.read,
      importResults.people,
      importResults.list,
      users.list,
      users.properties,
      groups.list,
      groups.detail,
      places.list,
      places.property,
    );
  }

  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title="Undo this import?"
      description={
        progress !== null && progress !== "begins" ? (
          <Progress
            label="People undone"
            value={progress.removed + progress.restored + progress.movedBack + progress.kept}
            max={progress.people}
          />
        ) : (
          <ReadStates
            read={read}
            failed="We couldn't check what can be undone"
            skeleton={<Skeleton className="h-16 rounded-md" />}
          >
            {(found) => <What check={found} />}
          </ReadStates>
        )
      }
      confirmLabel={check && number === 0 ? null : `Undo for ${people(number)}`}
      confirmable={check !== undefined}
      cancelLabel={check && number === 0 ? "Close" : "Keep the import"}
      danger
      busy={progress !== null}
      onConfirm={() => void undo()}
    />
  );
}

function What({ check: { removed, movedBack, restored, kept, staying } }: { check: Check }) {
  return (
    <div className="flex flex-col gap-3">
      {removed > 0 && <p>{people(removed)} will be deleted.</p>}
      {movedBack > 0 && <p>{people(movedBack)} will live where they lived before.</p>}
      {restored > 0 && <p>{people(restored)} will be as they were.</p>}
      {kept > 0 && (
        <>
          <p className="font-semibold text-ink">
            {kept === 1 ? "1 person stays as they are:" : `${people(kept)} stay as they are:`}
          </p>
          <ul className="scroll-quiet max-h-48 divide-y divide-line overflow-y-auto rounded-md border border-line">
            {staying.map(({ id, name, reason }) => (
              <li key={id} className="px-3 py-1.5">
                <bdi className="font-medium text-ink">{name || "Deleted person"}</bdi>{" "}
                <span className="block">{keptText[reason]}</span>
              </li>
            ))}
          </ul>
          {kept > staying.length && <p>And {numberText(kept - staying.length)} more.</p>}
        </>
      )}
    </div>
  );
}
