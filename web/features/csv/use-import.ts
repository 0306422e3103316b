import { useEffect, useEffectEvent, useRef, useState } from "react";
import { csv, IMPORT_CHUNK } from "#contract/csv.ts";
import { groups } from "#contract/groups.ts";
import type { ColumnMeaning } from "#contract/csv-header.ts";
import { users } from "#contract/users.ts";
import { call } from "#web/api/client.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { withChoice } from "#web/features/csv/column-choices.ts";
import { recallColumns, rememberColumns } from "#web/features/csv/column-memory.ts";
import { type Phase, type Source, troubleOf } from "#web/features/csv/import-form.ts";
import { type FileSummary, headerIn } from "#web/features/csv/import-file.ts";
import { type ImportOptions, noOptions, optionsQuery } from "#web/features/csv/import-options.ts";
import { outcomeToast } from "#web/features/csv/outcome.ts";
import { noRows, sendRows, type Tally } from "#web/features/csv/send-rows.ts";
import { CsvWorker } from "#web/features/csv/worker-client.ts";
import { toast } from "#web/ui/toast-store.ts";

const TYPING_PAUSE = 500;
const emptyText: Source = { kind: "text", text: "" };

/** The import form's state and what can be done with it. Reads and checks by itself whatever is put in. */
export function useImport() {
  const [source, setSource] = useState<Source>(emptyText);
  const [phase, setPhase] = useState<Phase>({ name: "empty" });
  const [submitted, setSubmitted] = useState(false);
  const [leaveOutRagged, setLeaveOutRagged] = useState(false);
  const [options, setOptions] = useState(noOptions);
  const [worker] = useState(() => new CsvWorker());
  const refresh = useRefresh();
  // What is put in last counts: whatever was asked about something earlier finds its number gone by.
  const turn = useRef(0);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const checking = useRef<AbortController>(undefined);
  const reading = useRef<Promise<Phase>>(undefined);
  const stopAsked = useRef(false);
  const field = useRef<HTMLElement>(null);

  const end = useEffectEvent(() => {
    clearTimeout(typing.current);
    checking.current?.abort();
    stopAsked.current = true;
    worker.stop();
  });
  useEffect(() => () => end(), []);

  function readAndCheck(from: Source, chosen: ImportOptions): Promise<void> {
    clearTimeout(typing.current);
    setPhase({ name: "reading" });
    const opened = worker
      .call("open", from.kind === "text" ? from.text : from.content, recallColumns())
      .then((opened): Phase => {
        if (from.kind === "file" && opened.text !== null) {
          const { text, encoding } = opened;
          setSource((now) => (now === from ? { kind: "text", text, name: from.name, encoding } : now));
        }
        if ("trouble" in opened) return { name: "unreadable", trouble: opened.trouble };
        return { name: "read", summary: opened.summary, check: null };
      });
    return showAndCheck(opened.catch(unreadable), chosen);
  }

  /** Shows what a reading comes to and has its rows checked, unless something newer is asked meanwhile. */
  async function showAndCheck(read: Promise<Phase>, chosen: ImportOptions): Promise<void> {
    const mine = ++turn.current;
    checking.current?.abort();
    reading.current = read;
    const next = await read;
    if (mine !== turn.current) return;
    setPhase(next);
    if (next.name === "read" && next.summary.headerTrouble === null) await check(next.summary, chosen);
  }

  async function check(summary: FileSummary, chosen: ImportOptions): Promise<void> {
    const abort = (checking.current = new AbortController());
    const show = (check: Extract<Phase, { name: "read" }>["check"]) => {
      if (!abort.signal.aborted) setPhase({ name: "read", summary, check });
    };
    let last = noRows;
    show({ state: "running", tally: last });
    try {
      await sendRows({
        chunk: (from) => worker.call("chunk", from, IMPORT_CHUNK),
        send: (body) => call(csv.check, { body, query: optionsQuery(chosen) }, { signal: abort.signal }),
        headerOf: headerIn(summary),
        onProgress: (tally) => show({ state: "running", tally: (last = tally) }),
        stopped: () => abort.signal.aborted,
      });
      show({ state: "done", tally: last });
    } catch (error) {
      show({ state: "failed", message: messageOf(error) });
    }
  }

  /** Takes a column for something else, and checks the rows anew. */
  async function chooseColumn(place: number, choice: ColumnMeaning | null): Promise<void> {
    if (phase.name !== "read") return;
    const mapping = withChoice(phase.summary.mapping, place, choice);
    // Another column may be chosen before the worker answers, and must not take this choice back.
    setPhase({ name: "read", summary: { ...phase.summary, mapping }, check: null });
    const mapped = worker
      .call("map", mapping)
      .then((summary): Phase => ({ name: "read", summary, check: null }));
    await showAndCheck(mapped.catch(unreadable), options);
  }

  /** Groups say nothing of the rows; all else has them checked anew. */
  function changeOptions(change: Partial<ImportOptions>): void {
    const next = { ...options, ...change };
    setOptions(next);
    if (!("groups" in change) && reading.current) void showAndCheck(reading.current, next);
  }

  function put(next: Source, pause: number): void {
    setSource(next);
    setLeaveOutRagged(false);
    const chosen: ImportOptions = { ...options, renames: noOptions.renames };
    setOptions(chosen);
    turn.current++;
    clearTimeout(typing.current);
    checking.current?.abort();
    if (next.kind === "text" && next.text.trim() === "") {
      reading.current = undefined;
      setPhase({ name: "empty" });
      return;
    }
    setPhase({ name: "reading" });
    reading.current = undefined;
    if (pause === 0) void readAndCheck(next, chosen);
    else typing.current = setTimeout(() => void readAndCheck(next, chosen), pause);
  }

  /** Imports what is there, or leads to what the form has to say first. */
  async function start(): Promise<void> {
    setSubmitted(true);
    // Typed a moment ago, and not yet read.
    if (phase.name === "reading" && !reading.current) void readAndCheck(source, options);
    const mine = turn.current;
    const ready = await (reading.current ?? phase);
    if (mine !== turn.current) return;
    if (troubleOf(ready, leaveOutRagged) !== null || ready.name !== "read") {
      field.current?.focus();
      return;
    }
    checking.current?.abort();
    turn.current++;
    rememberColumns(ready.summary.headers, ready.summary.mapping);
    await importRows(ready.summary, noRows);
  }

  async function importRows(summary: FileSummary, from: Tally): Promise<void> {
    stopAsked.current = false;
    const started = { at: performance.now(), sent: from.sent };
    let tally = from;
    let complete = false;
    let failure: string | null = null;
    const show = () => setPhase({ name: "importing", summary, tally, started, stopping: stopAsked.current });
    show();
    try {
      complete = await sendRows({
        from,
        chunk: (from) => worker.call("chunk", from, IMPORT_CHUNK),
        send: (body) => call(csv.import, { body, query: optionsQuery(options) }),
        headerOf: headerIn(summary),
        onProgress: (now) => {
          tally = now;
          show();
        },
        stopped: () => stopAsked.current,
      });
    } catch (error) {
      failure = messageOf(error);
    }
    const outcome = { summary, tally, complete, failure };
    setPhase({ name: "finished", outcome });
    toast(outcomeToast(outcome));
    await refresh(users.list, groups.list);
  }

  return {
    source,
    phase,
    worker,
    /** The ref of what gets the focus when the form has something to say. */
    takeFocus: (element: HTMLElement | null) => {
      field.current = element;
    },
    leaveOutRagged,
    setLeaveOutRagged,
    /** What the form says below its field: once asked to import, or at once where a whole file was given. */
    trouble: submitted || source.kind === "file" || source.name ? troubleOf(phase, leaveOutRagged) : null,
    setText: (text: string) => put({ kind: "text", text }, TYPING_PAUSE),
    setFile: (content: Blob, name: string) => put({ kind: "file", content, name }, 0),
    chooseColumn,
    options,
    setOptions: changeOptions,
    start,
    /** Ends the import after the call that is under way. */
    stop() {
      stopAsked.current = true;
      setPhase((now) => (now.name === "importing" ? { ...now, stopping: true } : now));
    },
    /** Goes on where an import ended early. The part that failed is sent again, which is safe. */
    async goOn() {
      if (phase.name === "finished") await importRows(phase.outcome.summary, phase.outcome.tally);
    },
    /** Back to the form, with this text in it and the focus on it. */
    again(text: string) {
      setSubmitted(false);
      put({ kind: "text", text }, 0);
      // The field is drawn only now.
      requestAnimationFrame(() => field.current?.focus());
    },
  };
}
export type Import = ReturnType<typeof useImport>;

function messageOf(error: unknown): string {
  return (error instanceof Error && error.message) || "Failed to import CSV data";
}

function unreadable(error: Error): Phase {
  return { name: "unreadable", trouble: { sentence: error.message } };
}
