import { counted } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import type { Fault } from "#web/features/csv/fault.ts";
import type { FileSummary } from "#web/features/csv/import-file.ts";
import { type Decisions, LEAVE_OUT } from "#web/features/csv/import-form.ts";
import type { Tally } from "#web/features/csv/send-rows.ts";

/** How an import ended. */
export type Outcome = {
  summary: FileSummary;
  tally: Tally;
  decisions: Decisions;
  /** Every row was processed; false if someone stopped it or a call failed. */
  complete: boolean;
  /** Why a call failed. */
  failure: string | null;
  /** The password was asked for again, and not entered. */
  unconfirmed?: boolean;
};

type Result = Pick<Outcome, "summary" | "tally">;
type ToastText = { title: string; description: string; variant?: "destructive" };

/** What will not be or was not imported, as far as known. */
export function leftOut({ summary, tally }: Result): number {
  return summary.faults.length + tally.rejected;
}

/** What was left out although no one chose to leave it out, in the file's order. */
export function toFix({ summary, tally, decisions }: Outcome): Fault[] {
  return [...summary.faults, ...tally.faults]
    .filter(
      // Rows of another width keep the import from starting until someone leaves them out, and the preview lists those
      // who don't live there.
      ({ kind, place }) => kind !== "cells" && kind !== "absent" && decisions.get(place ?? -1) !== LEAVE_OUT,
    )
    .sort((a, b) => a.line - b.line);
}

/** Everything in the file. */
export const totalOf = (summary: FileSummary) => summary.sendable + summary.faults.length;

const importedIn = ({ created, updated, unchanged, skipped }: Tally) =>
  created + updated + unchanged + skipped;

/** "57 of 60 rows to import": rows that change something, or everyone if they all join groups. */
export function toImport({ summary, tally }: Result, joining: boolean): string {
  const news = tally.created + tally.updated + (joining ? tally.unchanged : 0);
  if (news === 0) return "Nothing to import";
  const total = counted(totalOf(summary), summary.unit);
  return news === totalOf(summary) ? `${total} to import` : `${numberText(news)} of ${total} to import`;
}

/** "2 people added, 1 updated, 3 left out. 1 row needs fixing." */
export function outcomeSentence(outcome: Outcome): string {
  const { summary, tally } = outcome;
  const unfixed = rowsToFix(outcome);
  const counts = [
    [tally.created, "added"],
    [tally.updated, "updated"],
    [tally.unchanged, "unchanged"],
    [tally.skipped, "not changed"],
    [chosenOut(outcome), "left out"],
    [summary.sendable - tally.sent, "not sent"],
  ] as const;
  const [first, ...others] = counts.filter(([number]) => number > 0);
  const happened = first
    ? [
        `${counted(first[0], first[1] === "added" || first[1] === "updated" ? "person" : summary.unit)} ${first[1]}`,
        ...others.map(([number, word]) => `${numberText(number)} ${word}`),
      ].join(", ")
    : "No one was added";
  return `${happened}.${needFixing(unfixed)}`;
}

/** Rows that were left out although no one chose to. */
const rowsToFix = (outcome: Outcome) => new Set(toFix(outcome).map(({ line }) => line)).size;

/** What was left out because someone chose to. A row may hold several people. */
const chosenOut = (outcome: Outcome) =>
  leftOut(outcome) - new Set(toFix(outcome).map(({ line, place }) => place ?? `line ${line}`)).size;

const needFixing = (rows: number) =>
  rows === 0 ? "" : ` ${counted(rows, "row")} ${rows === 1 ? "needs" : "need"} fixing.`;

/** What happened, and what to do about the rest. */
export function nextStep(outcome: Outcome): string {
  if (outcome.failure !== null) return `${outcome.failure} You can safely try again. No one is added twice.`;
  if (outcome.unconfirmed) {
    return "You didn't enter your password, so the rest was not sent. You can continue the import.";
  }
  if (!outcome.complete) return "You stopped the import. You can continue it.";
  if (leftOut(outcome) === 0) return "Every row was imported.";
  if (toFix(outcome).length === 0) {
    return importedIn(outcome.tally) === 0
      ? "Every row was left out as you chose."
      : "All other rows were left out as you chose.";
  }
  if (importedIn(outcome.tally) === 0) return "No rows were imported. Fix them and import them again.";
  return "All other rows were imported. Fix these and import them again. No one is added twice.";
}

/** Why a call of the import failed. */
export function failureOf(error: unknown): string {
  return reasonOf(error, "Failed to import CSV data");
}

/** The specification's success text, only if every row was imported. */
export function outcomeToast(outcome: Outcome): ToastText {
  const { summary, tally, complete, failure } = outcome;
  const imported = importedIn(tally);
  const before = imported > 0 ? ` ${counted(imported, summary.unit)} imported before that.` : "";
  if (failure !== null) {
    return { title: "Import Failed", description: `${failure}${before}`, variant: "destructive" };
  }
  if (!complete) {
    const notSent = counted(summary.sendable - tally.sent, summary.unit);
    return { title: "Import Stopped", description: `${notSent} not sent.${before}` };
  }
  const missing = leftOut(outcome);
  if (missing === 0) {
    return { title: "Import Successful", description: "User data has been imported successfully." };
  }
  const unfixed = rowsToFix(outcome);
  if (unfixed === 0) {
    return {
      title: "Import Complete",
      description: `${counted(imported, summary.unit)} imported, ${numberText(missing)} left out as you chose.`,
    };
  }
  if (imported === 0 && unfixed === missing) {
    return { title: "Import Failed", description: "Every row has something to fix.", variant: "destructive" };
  }
  return {
    title: "Import Incomplete",
    description: `${counted(imported, summary.unit)} imported${
      chosenOut(outcome) > 0 ? `, ${numberText(chosenOut(outcome))} left out as you chose` : ""
    }.${needFixing(unfixed)}`,
    variant: "destructive",
  };
}

/** "about 8 seconds left"; empty while unknown. */
export function timeLeft(done: number, total: number, elapsed: number): string {
  if (done === 0 || elapsed < 1000) return "";
  const seconds = Math.ceil(((elapsed / done) * (total - done)) / 1000);
  if (seconds < 60) return `about ${seconds} ${seconds === 1 ? "second" : "seconds"} left`;
  const minutes = Math.round(seconds / 60);
  return `about ${minutes} ${minutes === 1 ? "minute" : "minutes"} left`;
}
