import { number, rowsOf } from "#web/features/csv/fault.ts";
import type { FileSummary } from "#web/features/csv/import-file.ts";
import type { Tally } from "#web/features/csv/send-rows.ts";

/** How an import ended. */
export type Outcome = {
  summary: FileSummary;
  tally: Tally;
  /** Every row has its answer; else somebody stopped it or a call failed. */
  complete: boolean;
  /** Why a call failed. */
  failure: string | null;
};

type Words = { title: string; description: string; variant?: "destructive" };

/** Rows that will not go in, or did not, as far as is known. */
export function leftOut({ summary, tally }: Pick<Outcome, "summary" | "tally">): number {
  return summary.rowCount - summary.sendable + tally.rejected;
}

/**
 * "57 of 60 rows to import", as a check found: those that bring something new. Where everyone joins groups, that is
 * everyone who goes in.
 */
export function toImport({ summary, tally }: Pick<Outcome, "summary" | "tally">, joining: boolean): string {
  const news = tally.created + tally.updated + (joining ? tally.unchanged : 0);
  if (news === 0) return "Nothing to change";
  return news === summary.rowCount
    ? `${rowsOf(news)} to import`
    : `${number(news)} of ${rowsOf(summary.rowCount)} to import`;
}

/** "2 created, 1 updated, 3 left out": what came of the rows. */
export function outcomeSentence(outcome: Outcome): string {
  const { summary, tally } = outcome;
  const notSent = summary.sendable - tally.sent;
  return [
    `${number(tally.created)} created`,
    `${number(tally.updated)} updated`,
    ...(tally.unchanged > 0 ? [`${number(tally.unchanged)} unchanged`] : []),
    ...(tally.skipped > 0 ? [`${number(tally.skipped)} left as they were`] : []),
    `${number(leftOut(outcome))} left out`,
    ...(notSent > 0 ? [`${number(notSent)} not sent`] : []),
  ].join(", ");
}

/** What went in, and what is to be done about the rest. */
export function nextStep(outcome: Outcome): string {
  if (outcome.failure !== null) return `${outcome.failure} Trying again is safe: nobody is added twice.`;
  if (!outcome.complete) return "You stopped it. It can go on from here.";
  if (leftOut(outcome) === 0) return "Every row went in.";
  if (wentIn(outcome.tally) === 0) return "No row went in. Fix them and import them again.";
  return "The good rows went in. Fix the others and import them again; nobody is added twice.";
}

function wentIn({ created, updated, unchanged, skipped }: Tally): number {
  return created + updated + unchanged + skipped;
}

/** The written success only when every row went in. */
export function outcomeToast(outcome: Outcome): Words {
  const { summary, tally, complete, failure } = outcome;
  const inNow = wentIn(tally);
  const before = inNow > 0 ? ` ${rowsOf(inNow)} went in before that.` : "";
  if (failure !== null) {
    return { title: "Import Failed", description: `${failure}${before}`, variant: "destructive" };
  }
  if (!complete) {
    const notSent = summary.sendable - tally.sent;
    const were = notSent === 1 ? "was" : "were";
    return { title: "Import Stopped", description: `${rowsOf(notSent)} ${were} not sent.${before}` };
  }
  const missing = leftOut(outcome);
  if (missing === 0) {
    return { title: "Import Successful", description: "User data has been imported successfully." };
  }
  if (inNow === 0) {
    return {
      title: "Import Failed",
      description: "Every row has something to fix.",
      variant: "destructive",
    };
  }
  return {
    title: "Import Incomplete",
    description: `${rowsOf(inNow)} went in, ${number(missing)} left out.`,
    variant: "destructive",
  };
}

/** "about 8 seconds left"; empty while nothing can be said yet. */
export function timeLeft(done: number, total: number, elapsed: number): string {
  if (done === 0 || elapsed < 1000) return "";
  const seconds = Math.ceil(((elapsed / done) * (total - done)) / 1000);
  if (seconds < 60) return `about ${seconds} ${seconds === 1 ? "second" : "seconds"} left`;
  const minutes = Math.round(seconds / 60);
  return `about ${minutes} ${minutes === 1 ? "minute" : "minutes"} left`;
}
