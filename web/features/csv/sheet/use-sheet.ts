import { useEffect, useRef, useState } from "react";
import { groups } from "#contract/calls/groups.ts";
import { type ImportOverview, type ImportProgress, imports } from "#contract/calls/imports.ts";
import { places } from "#contract/calls/places.ts";
import { users } from "#contract/calls/users.ts";
import type { BodyIn } from "#contract/endpoint.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRead, useRefresh } from "#web/api/use-read.ts";
import { type Check, checkRows, noCheck } from "#web/features/csv/sheet/check-rows.ts";
import { useLeaving } from "#web/features/csv/sheet/leaving/use-leaving.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

/** Above this, each correction doesn't check all rows again. */
const CHECKED_AT_ONCE = 5000;

export type CellFix = { line: number; column: number; text: string };
export type Checking =
  | { state: "running" | "done"; check: Check }
  | { state: "failed"; check: Check; reason: string };
export type Running = { progress: ImportProgress | null; failure: string | null; active: boolean };

/** A spreadsheet that is being imported: how it is read, its check, and its import. */
export function useSheet(id: number) {
  const read = useRead(imports.read, { params: { id } }, { fresh: true });
  const refresh = useRefresh();
  const [own, setOwn] = useState<ImportOverview>();
  const [step, setStep] = useState<"file" | "check">("file");
  const [checking, setChecking] = useState<Checking | null>(null);
  const [fixes, setFixes] = useState<ReadonlyMap<string, string>>(new Map());
  const [stale, setStale] = useState(false);
  const [running, setRunning] = useState<Running | null>(null);
  const [saving, setSaving] = useState(0);
  const leaving = useLeaving(id);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const abort = useRef(new AbortController());
  const overview = own ?? read.data;
  useEffect(() => () => abort.current.abort(), []);

  /** One change after another, so that the last answer is about all of them. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    setSaving((count) => count + 1);
    const done = queue.current.then(work).catch((error: unknown) => {
      toast({ title: "Nothing was changed", description: reasonOf(error), variant: "destructive" });
      setOwn(undefined);
      void read.refetch();
    });
    queue.current = done;
    return done.finally(() => setSaving((count) => count - 1));
  }

  function change(
    body: BodyIn<typeof imports.change>,
    meanwhile: Partial<ImportOverview> = {},
  ): Promise<void> {
    if (overview) setOwn({ ...overview, ...meanwhile });
    return inTurn(async () => setOwn(await call(imports.change, { params: { id }, body })));
  }

  /** @param afresh shows nothing of the check before */
  function check(afresh = false): void {
    abort.current.abort();
    const mine = new AbortController();
    abort.current = mine;
    setStale(false);
    leaving.forget();
    const before = afresh ? undefined : checking?.check;
    // While rows are checked again, what was found before stays.
    const show = (found: Check) => setChecking({ state: "running", check: before ?? found });
    show(noCheck);
    void queue.current
      .then(() =>
        checkRows(id, { signal: mine.signal, onProgress: (found) => !mine.signal.aborted && show(found) }),
      )
      .then(
        (found) => {
          if (mine.signal.aborted) return;
          setFixes(new Map());
          setChecking({ state: "done", check: found });
        },
        (error: unknown) => {
          if (mine.signal.aborted) return;
          setChecking({ state: "failed", check: before ?? noCheck, reason: reasonOf(error) });
        },
      );
  }

  function checkAgain(): void {
    if ((overview?.rows ?? 0) > CHECKED_AT_ONCE) setStale(true);
    else check();
  }

  async function run(): Promise<void> {
    let progress = overview?.progress ?? null;
    let failure: string | null = null;
    abort.current.abort();
    setRunning({ progress, failure, active: true });
    try {
      await queue.current;
      if (!progress) await leaving.say();
    } catch (error) {
      setRunning(null);
      toast({ title: "Nothing was imported", description: reasonOf(error), variant: "destructive" });
      check();
      return;
    }
    try {
      do {
        progress = await call(imports.run, { params: { id } });
        setRunning({ progress, failure, active: true });
      } while (!progress.done);
    } catch (error) {
      if (error instanceof CancelledError) {
        toast({
          title: progress ? "The import is paused" : "Nothing was imported",
          description: "You didn't enter your password.",
        });
        if (!progress) {
          setRunning(null);
          return;
        }
      }
      failure = reasonOf(error, "We couldn't import these rows");
    }
    setRunning({ progress, failure, active: false });
    if (overview) setOwn({ ...overview, progress });
    await refresh(
      users.list,
      users.properties,
      groups.list,
      groups.detail,
      places.list,
      places.property,
      imports.list,
    );
  }

  return {
    id,
    read,
    overview,
    change,
    /** Something is on its way to the server. */
    saving: saving > 0,
    step,
    toFile: () => setStep("file"),
    toCheck() {
      setStep("check");
      check(true);
    },
    checking,
    leaving,
    check: () => check(),
    /** Something was corrected since the last check. */
    stale,
    /** What was typed into cells since the last check, by line and column. */
    fixes,
    fix(cells: readonly CellFix[]) {
      setFixes(new Map([...fixes, ...cells.map((cell) => [keyOf(cell), cell.text] as const)]));
      void inTurn(
        async () => void (await call(imports.fix, { params: { id }, body: { cells: [...cells] } })),
      );
      checkAgain();
    },
    decide(person: { line: number; resident: number }, decision: string) {
      const key = `${person.line}:${person.resident}`;
      void change(
        { decisions: { [key]: decision } },
        { decisions: { ...overview?.decisions, [key]: decision } },
      );
      checkAgain();
    },
    running,
    run,
  };
}
export type Sheet = ReturnType<typeof useSheet>;

export const keyOf = ({ line, column }: { line: number; column: number | null }) => `${line}:${column}`;
