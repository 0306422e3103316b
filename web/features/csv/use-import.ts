import { useEffect, useEffectEvent, useRef, useState } from "react";
import { csv, IMPORT_CHUNK } from "#contract/calls/csv.ts";
import type { ColumnMeaning } from "#contract/text/csv-header.ts";
import { personDetails } from "#contract/text/kept-details.ts";
import { groups } from "#contract/calls/groups.ts";
import { users } from "#contract/calls/users.ts";
import { call } from "#web/api/client.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { headerOf, type Mapping, withChoice } from "#contract/text/sheet-columns.ts";
import type { FileSummary, Place } from "#web/features/csv/import-file.ts";
import {
  type Decisions,
  defaultOptions,
  LEAVE_OUT,
  type ImportOptions,
  type Phase,
  type Source,
  troubleOf,
} from "#web/features/csv/import-form.ts";
import { failureOf, leftOut, outcomeToast } from "#web/features/csv/outcome.ts";
import { noRows, sendRows, type Tally } from "#web/features/csv/send-rows.ts";
import { useSheetUpload } from "#web/features/csv/sheet/use-sheet-upload.ts";
import { CsvWorker } from "#web/features/csv/worker-client.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

const TYPING_PAUSE = 500;
const noDecisions: Decisions = new Map();

/**
 * The import form's state and actions. New input is read and checked right away.
 * @param onFile a file was uploaded, which has a screen of its own
 */
export function useImport(onFile: (id: number) => void) {
  const [source, setSource] = useState<Source>({ kind: "text", text: "" });
  const [phase, setPhase] = useState<Phase>({ name: "empty" });
  const [options, setOptions] = useState(defaultOptions);
  const [decisions, setDecisions] = useState(noDecisions);
  const [leaveOutRagged, setLeaveOutRagged] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const [worker] = useState(() => new CsvWorker());
  const file = useSheetUpload(onFile);
  const refresh = useRefresh();
  /** The reading or checking in progress. Anything newer cancels it. */
  const preparing = useRef({ abort: new AbortController(), result: Promise.resolve(phase) });
  const stopAsked = useRef(false);
  const field = useRef<HTMLElement>(null);
  const preview = useRef<HTMLElement>(null);
  const raggedBox = useRef<HTMLInputElement>(null);

  const end = useEffectEvent(() => {
    preparing.current.abort.abort();
    stopAsked.current = true;
    worker.stop();
  });
  useEffect(() => () => end(), []);

  function prepare(work: (signal: AbortSignal) => Promise<Phase>): void {
    preparing.current.abort.abort();
    const abort = new AbortController();
    const result = work(abort.signal)
      .catch((error: unknown): Phase => ({ name: "unreadable", trouble: { sentence: failureOf(error) } }))
      .then((next) => {
        if (!abort.signal.aborted) setPhase(next);
        return next;
      });
    preparing.current = { abort, result };
    setDecisions(noDecisions);
  }

  async function read(from: Source): Promise<Phase> {
    const opened = await worker.call("open", from.text, personDetails());
    if ("trouble" in opened) return { name: "unreadable", trouble: opened.trouble };
    return { name: "read", summary: opened.summary, check: null };
  }

  async function check(summary: FileSummary, chosen: ImportOptions, signal: AbortSignal): Promise<Phase> {
    if (summary.headerTrouble !== null) return { name: "read", summary, check: null };
    let tally = noRows;
    const show = () => {
      if (!signal.aborted) setPhase({ name: "read", summary, check: { state: "running", tally } });
    };
    show();
    try {
      await sendRows({
        ...sending(summary),
        send: (body, since) => call(csv.check, { body, query: { ...queryOf(chosen), since } }, { signal }),
        onProgress: (now) => {
          tally = now;
          show();
        },
        stopped: () => signal.aborted,
      });
      return { name: "read", summary, check: { state: "done", tally } };
    } catch (error) {
      return { name: "read", summary, check: { state: "failed", message: failureOf(error) } };
    }
  }

  const sending = (summary: FileSummary) => ({
    chunk: (from: number) => worker.call("chunk", from, IMPORT_CHUNK),
    headerOf: (key: string, { resident }: Place) => headerOf(summary, key, resident),
  });

  function put(next: Source, pause: number): void {
    setSource(next);
    setLeaveOutRagged(false);
    const empty = next.kind === "text" && next.text.trim() === "";
    setPhase(empty ? { name: "empty" } : { name: "reading" });
    prepare(async (signal) => {
      if (empty) return { name: "empty" };
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (signal.aborted) return { name: "reading" };
      const opened = await read(next);
      return opened.name === "read" && !signal.aborted ? check(opened.summary, options, signal) : opened;
    });
  }

  /** Checks the rows again, read by the worker with this mapping. */
  function checkAgain(mapping: Mapping, chosen: ImportOptions): void {
    prepare(async (signal) => check(await worker.call("map", mapping, personDetails()), chosen, signal));
  }

  function chooseColumn(place: number, choice: ColumnMeaning | null): void {
    if (phase.name !== "read") return;
    const mapping = withChoice(phase.summary.mapping, place, choice);
    // Another column may be chosen before the worker replies, and the reply must not undo that choice.
    setPhase({ ...phase, summary: { ...phase.summary, mapping }, check: null });
    checkAgain(mapping, options);
  }

  /** Groups do not affect the rows. Any other change checks them again. */
  function changeOptions(change: Partial<ImportOptions>): void {
    const next = { ...options, ...change };
    setOptions(next);
    if (phase.name === "read" && !("groups" in change)) checkAgain(phase.summary.mapping, next);
  }

  /** Imports what was checked. An earlier click waits, and the check's findings are shown first. */
  async function start(): Promise<void> {
    setSubmitted(true);
    let now = phase;
    const seen = now.name === "read" && now.check?.state === "done";
    if (now.name === "read" && now.check?.state === "failed") checkAgain(now.summary.mapping, options);
    const { abort, result } = preparing.current;
    if (!seen) {
      setWaiting(true);
      now = await result;
      setWaiting(false);
      if (abort.signal.aborted) return;
    }
    if (troubleOf(now, leaveOutRagged) !== null || now.name !== "read")
      return (raggedBox.current ?? field.current)?.focus();
    if (now.check?.state !== "done") return;
    const {
      summary,
      check: { tally },
    } = now;
    if (!seen && leftOut({ summary, tally }) + tally.renames.length > 0) return preview.current?.focus();
    await importRows(summary, noRows, now);
  }

  /** `before`: where nothing has been sent yet, what to go back to if the person doesn't enter their password. */
  async function importRows(summary: FileSummary, from: Tally, before?: Phase): Promise<void> {
    stopAsked.current = false;
    const started = { at: performance.now(), sent: from.sent };
    let tally = from;
    let complete = false;
    let failure: string | null = null;
    let unconfirmed = false;
    const show = () => setPhase({ name: "importing", summary, tally, started, stopping: stopAsked.current });
    show();
    try {
      complete = await sendRows({
        ...sending(summary),
        from,
        send: (body, since) => {
          // Once, with the first rows.
          const here = since === undefined && summary.faults.length;
          const query = { ...queryOf(options), since, ...(here && { leftOut: here }) };
          return call(csv.import, { body, query });
        },
        decisionOf: (place) => {
          const decision = decisions.get(place);
          return decision === LEAVE_OUT ? undefined : decision;
        },
        onProgress: (now) => {
          tally = now;
          show();
        },
        stopped: () => stopAsked.current,
      });
    } catch (error) {
      unconfirmed = error instanceof CancelledError;
      if (!unconfirmed) failure = failureOf(error);
    }
    if (unconfirmed && before && tally.sent === 0) {
      setPhase(before);
      toast({ title: "Nothing was imported", description: "You didn't enter your password." });
      return;
    }
    const outcome = { summary, tally, decisions, complete, failure, unconfirmed };
    setPhase({ name: "finished", outcome });
    toast(outcomeToast(outcome));
    await refresh(users.list, users.properties, groups.list, groups.detail);
  }

  return {
    source,
    phase,
    worker,
    /** The ref of what gets the focus when the form reports something. */
    takeFocus: (element: HTMLElement | null) => {
      field.current = element;
    },
    preview,
    /** The box that leaves out rows of another width, as long as it is there. */
    raggedBox,
    /** Import CSV was clicked and waits for the check. */
    waiting,
    leaveOutRagged,
    setLeaveOutRagged,
    decisions,
    setDecisions,
    /** What the form says below its field: once asked to import, or right away about a whole file. */
    trouble:
      file.trouble !== null
        ? { sentence: file.trouble }
        : submitted || source.kind === "long"
          ? troubleOf(phase, leaveOutRagged)
          : null,
    /** A file that the server is reading, or why it couldn't. */
    file,
    openFile(chosen: File) {
      put({ kind: "text", text: "" }, 0);
      file.upload(chosen);
    },
    setText: (text: string) => {
      file.clear();
      put({ kind: "text", text }, TYPING_PAUSE);
    },
    setLongText: (text: Blob) => {
      file.clear();
      put({ kind: "long", text }, 0);
    },
    chooseColumn,
    options,
    setOptions: changeOptions,
    checkAgain: () => phase.name === "read" && checkAgain(phase.summary.mapping, options),
    start,
    /** Ends the import after the current call. */
    stop() {
      stopAsked.current = true;
      setPhase((now) => (now.name === "importing" ? { ...now, stopping: true } : now));
    },
    /** Continues an import that ended early. The part that failed is sent again, which is safe. */
    async goOn() {
      if (phase.name === "finished") await importRows(phase.outcome.summary, phase.outcome.tally);
    },
    /** Back to the form, with this text in it and the focus on it. */
    again(text: string) {
      setSubmitted(false);
      put({ kind: "text", text }, 0);
      // The field is rendered only now.
      requestAnimationFrame(() => field.current?.focus());
    },
  };
}
export type Import = ReturnType<typeof useImport>;

function queryOf({ existing, absent, defaultRole, groups: joined }: ImportOptions) {
  return { existing, absent, defaultRole, groupIds: joined.map(({ id }) => id) };
}
