import type { Role } from "#contract/calls/auth.ts";
import { csvSentences } from "#contract/text/csv-header.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import type { FileSummary } from "#web/features/csv/import-file.ts";
import type { Outcome } from "#web/features/csv/outcome.ts";
import type { CsvTrouble } from "#web/features/csv/read-csv.ts";
import type { Tally } from "#web/features/csv/send-rows.ts";

/** What is imported: text that can be edited, or text too long to show. */
export type Source = { kind: "text"; text: string } | { kind: "long"; text: Blob };

/** Options for a whole file. */
export type ImportOptions = {
  /** What happens to people who are on file already. */
  existing: "update" | "skip";
  /** What happens to rows whose status says that they don't live there. */
  absent: "leave-out" | "import";
  /** For new people with no role in the file. */
  defaultRole: Role;
  /** Hand-picked groups that everyone in the file joins. */
  groups: readonly { id: number; name: string }[];
};

export const defaultOptions: ImportOptions = {
  existing: "update",
  absent: "leave-out",
  defaultRole: "tenant",
  groups: [],
};

/** Who the undecided people are, by their place in the file: a candidate's id, "new" or LEAVE_OUT. */
export type Decisions = ReadonlyMap<number, string>;
export const LEAVE_OUT = "out";

export type Check = { state: "running" | "done"; tally: Tally } | { state: "failed"; message: string };

export type Phase =
  | { name: "empty" }
  | { name: "reading" }
  | { name: "unreadable"; trouble: CsvTrouble }
  | { name: "read"; summary: FileSummary; check: Check | null }
  | {
      name: "importing";
      summary: FileSummary;
      tally: Tally;
      started: { at: number; sent: number };
      stopping: boolean;
    }
  | { name: "finished"; outcome: Outcome };

const LINES_NAMED = 5;

/** Why Import CSV cannot import yet; null if it can, or while the file is still being read. */
export function troubleOf(phase: Phase, leaveOutRagged: boolean): CsvTrouble | null {
  if (phase.name === "empty") return { sentence: csvSentences.required };
  if (phase.name === "unreadable") return phase.trouble;
  if (phase.name !== "read") return null;
  const { headerTrouble } = phase.summary;
  const ragged = leaveOutRagged ? null : raggedTrouble(phase.summary);
  if (ragged || headerTrouble === null) return ragged;
  return { sentence: headerTrouble, detail: "Choose what each column is below, or change the first row." };
}

/** The rows whose number of cells is not the header's. */
export function raggedLines(summary: FileSummary): number[] {
  return summary.faults.filter((fault) => fault.kind === "cells").map((fault) => fault.line);
}

function raggedTrouble(summary: FileSummary): CsvTrouble | null {
  const lines = raggedLines(summary);
  if (lines.length === 0) return null;
  const more = lines.length - LINES_NAMED;
  const named = listText([
    ...lines.slice(0, LINES_NAMED).map(String),
    ...(more > 0 ? [`${numberText(more)} more`] : []),
  ]);
  const detail =
    lines.length === 1
      ? `Row ${named} doesn't have as many cells as the header. Fix it or leave it out.`
      : `Rows ${named} don't have as many cells as the header. Fix them or leave them out.`;
  return { sentence: csvSentences.format, detail };
}

/** The result of a check, with the manager's decisions about undecided people. */
export function withDecisions(tally: Tally, decisions: Decisions): Tally {
  const decided = tally.faults.flatMap(({ kind, place }) =>
    kind === "undecided" ? (decisions.get(place ?? -1) ?? []) : [],
  );
  const kept = decided.filter((decision) => decision !== LEAVE_OUT);
  const added = kept.filter((decision) => decision === "new").length;
  return {
    ...tally,
    created: tally.created + added,
    updated: tally.updated + kept.length - added,
    rejected: tally.rejected - kept.length,
    faults: tally.faults.filter(({ kind, place }) => kind !== "undecided" || !decisions.has(place ?? -1)),
  };
}

/** "New people become tenants. Existing people are matched by username, email or phone. Everyone joins Board." */
export function optionsSentence({
  defaultRole,
  groups,
}: Pick<ImportOptions, "defaultRole" | "groups">): string {
  const roles: Record<Role, string> = { tenant: "tenants", staff: "staff", admin: "administrators" };
  const joined = listText(groups.map(({ name }) => name));
  return [
    `New people become ${roles[defaultRole]}.`,
    "Existing people are matched by username, email or phone.",
    ...(joined ? [`Everyone joins ${joined}.`] : []),
  ].join(" ");
}
