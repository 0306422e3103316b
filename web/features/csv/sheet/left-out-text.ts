import type { StatusMeaning } from "#contract/calls/imports.ts";
import { counted } from "#contract/text/count-text.ts";
import type { Check } from "#web/features/csv/sheet/check-rows.ts";

const things: Record<StatusMeaning, [one: string, many: string]> = {
  lives: ["other", "others"],
  "moving-in": ["other", "others"],
  "moved-out": ["past tenant", "past tenants"],
  applicant: ["applicant", "applicants"],
  evicted: ["eviction", "evictions"],
  vacant: ["vacant home", "vacant homes"],
};

/** Who is left out on purpose: ["12 past tenants", "9 vacant homes"]. */
export const leftOutOnPurpose = (absent: Check["absent"]): string[] =>
  Object.entries(things).flatMap(([why, [one, many]]) => {
    const number = absent[why as StatusMeaning] ?? 0;
    return number > 0 ? [counted(number, one, many)] : [];
  });
