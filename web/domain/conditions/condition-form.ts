import type { DetailCondition } from "#contract/calls/detail-conditions.ts";
import { type Comparison, comparisonsOf, NO_VALUE } from "#contract/text/detail-conditions.ts";
import { type Detail, personDetails } from "#contract/text/kept-details.ts";
import { readDetail, typedDetail } from "#contract/text/person-details.ts";

/** A condition as someone fills it in: its value as the country writes it. */
export type ConditionForm = { detail: number; is: Comparison; value: string };

const detailOf = (id: number) => personDetails().find((detail) => detail.id === id);

/** A new condition on this detail, with its usual comparison. */
export const newCondition = ({ id, kind }: Detail): ConditionForm => ({
  detail: id,
  is: comparisonsOf(kind)[0] ?? "is",
  value: "",
});

/** As it is stored. A value that can't be read is left empty, which no condition may have. */
export function conditionOf({ detail, is, value }: ConditionForm): DetailCondition {
  const kind = detailOf(detail)?.kind ?? "text";
  const typed = value.trim();
  const compared = is === "within-days" ? typed : (readDetail(kind, typed) ?? "");
  return { detail, kind, is, value: NO_VALUE.has(is) ? "" : compared };
}

export function conditionForm({ detail, kind, is, value }: DetailCondition): ConditionForm {
  return { detail, is, value: is === "within-days" ? value : typedDetail(kind, value) };
}
