import type { DetailCondition } from "#contract/calls/detail-conditions.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { NO_VALUE } from "#contract/text/detail-conditions.ts";
import type { Detail } from "#contract/text/kept-details.ts";
import { storedDetail } from "#contract/text/person-details.ts";
import type { Db } from "#server/db/database.ts";
import { readDetails } from "./details.ts";

/** A condition with its value as people's are stored. Throws invalid-input at its field. */
export async function settledCondition(
  db: Db,
  condition: DetailCondition,
  at: string,
): Promise<DetailCondition> {
  return settledOne(await readDetails(db), condition, at);
}

/**
 * Conditions with their values as people's are stored. Throws invalid-input for a detail that isn't there, and a value that
 * is none of its kind. `at`: the list's field.
 */
export async function settledConditions(
  db: Db,
  conditions: readonly DetailCondition[],
  at: string,
): Promise<DetailCondition[]> {
  const details = await readDetails(db);
  return conditions.map((condition, index) => settledOne(details, condition, `${at}.${index}`));
}

function settledOne(details: readonly Detail[], condition: DetailCondition, at: string): DetailCondition {
  const { detail, kind, is, value } = condition;
  if (!details.some((one) => one.id === detail && one.kind === kind))
    throw refusal("condition-without-detail", {}, { field: `${at}.detail` });
  if (NO_VALUE.has(is) || is === "within-days") return condition;
  const stored = storedDetail(kind, value);
  if (stored === null) throw refusal("condition-without-value", {}, { field: `${at}.value` });
  return { ...condition, value: stored };
}
