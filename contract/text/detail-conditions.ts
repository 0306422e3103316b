import type { DetailCondition } from "#contract/calls/detail-conditions.ts";
import type { DetailKind } from "#contract/text/kept-details.ts";
import { counted } from "#contract/text/count-text.ts";
import { isolated } from "#contract/text/isolate.ts";
import { writtenDetail } from "#contract/text/person-details.ts";

/** Conditions on a person's details: what each kind can be compared by, and how that is said. */

export const comparisons = [
  "is",
  "is-not",
  "over",
  "under",
  "at-least",
  "at-most",
  "before",
  "after",
  "within-days",
  "past",
  "on-file",
  "missing",
] as const;
export type Comparison = (typeof comparisons)[number];

/** They compare with nothing. */
export const NO_VALUE: ReadonlySet<Comparison> = new Set(["past", "on-file", "missing"]);

const numbers = ["over", "under", "is", "is-not", "at-least", "at-most", "on-file", "missing"] as const;
const byKind: Record<DetailKind, readonly Comparison[]> = {
  text: ["is", "is-not", "on-file", "missing"],
  number: numbers,
  amount: numbers,
  date: ["within-days", "past", "before", "after", "is", "is-not", "on-file", "missing"],
};

/** What a detail of this kind can be compared by, the usual one first. */
export const comparisonsOf = (kind: DetailKind): readonly Comparison[] => byKind[kind];

const words: Record<Comparison, string> = {
  is: "is",
  "is-not": "is not",
  over: "is over",
  under: "is under",
  "at-least": "is at least",
  "at-most": "is at most",
  before: "is before",
  after: "is after",
  "within-days": "is within the next",
  past: "is in the past",
  "on-file": "is on file",
  missing: "is not on file",
};

/** As a choice beside a detail: "is over". */
export const comparisonText = (comparison: Comparison): string => words[comparison];

/** "Balance is over $0.00", "Lease review is within the next 90 days". `label`: the detail's; undefined: it is deleted. */
export function conditionText({ kind, is, value }: DetailCondition, label: string | undefined): string {
  const what = label === undefined ? "A deleted detail" : isolated(label);
  if (NO_VALUE.has(is)) return `${what} ${words[is]}`;
  const than = is === "within-days" ? counted(Number(value), "day") : writtenDetail(kind, value);
  return `${what} ${words[is]} ${kind === "text" ? `“${isolated(than)}”` : than}`;
}
