import * as z from "zod";
import { id, line } from "#contract/fields.ts";
import { DETAIL_TEXT_MAX, type DetailKind, detailKinds } from "#contract/text/kept-details.ts";
import { type Comparison, comparisons, comparisonsOf, NO_VALUE } from "#contract/text/detail-conditions.ts";

/** What has to be true of one detail of a person. Who has no value meets only `missing`. */
export const detailCondition = z
  .strictObject({
    /** The detail's id, and its kind, which never changes. */
    detail: id,
    kind: z.enum(detailKinds),
    is: z.enum(comparisons, { error: "Choose a comparison" }),
    /** As it is stored: a decimal with a point, a day, or a text. Of `within-days`, how many days. Empty: none. */
    value: line("The value", DETAIL_TEXT_MAX).default(""),
  })
  .refine(({ kind, is }) => comparisonsOf(kind).includes(is), {
    path: ["is"],
    message: "Choose another comparison: this one isn’t for this kind of detail",
  })
  .refine(({ kind, is, value }) => isValue(kind, is, value), {
    path: ["value"],
    message: "Enter a value to compare with",
  });
export type DetailCondition = z.output<typeof detailCondition>;

/** Whom a run leaves out. `label`: what the detail was called when the run began. */
export type SkipIf = DetailCondition & { label: string };

const DAYS_MAX = 3660;
const patterns: Record<DetailKind, RegExp> = {
  text: /\S/,
  number: /^-?\d{1,12}(?:\.\d{1,6})?$/,
  amount: /^-?\d{1,12}(?:\.\d{1,6})?$/,
  date: /^(?:19|2\d)\d\d-\d\d-\d\d$/,
};

function isValue(kind: DetailKind, is: Comparison, value: string): boolean {
  if (NO_VALUE.has(is)) return value === "";
  if (is === "within-days") return /^\d{1,4}$/.test(value) && Number(value) <= DAYS_MAX;
  if (kind === "date") return patterns.date.test(value) && !Number.isNaN(Date.parse(value));
  return patterns[kind].test(value);
}
