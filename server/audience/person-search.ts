import { type RawBuilder, sql } from "kysely";
import { containing } from "#server/db/like.ts";

const WRITTEN_PHONE = /^[+(]?[\d\s().+-]{6,}$/;
/** What stands between property and unit: "Maple Court / 4B", "Maple Court, #4B", "Maple Court - 4B". */
const BETWEEN = /[\s,;/|#]+(?:[-–—]+\s+)?/;
/** Says only that a unit follows; the unit is stored without it as often as with it. */
const UNIT_WORD = /^(?:unit|apartment|apt|suite|ste)\.?$/i;

/**
 * The words of `q` to search for. A phone number like "(415) 555-0123" is searched by its digits, as it is stored. A
 * home is searched by its parts, "maple", "court", "4b", however they are separated.
 */
function searchTerms(q: string): string[] {
  const digits = q.replaceAll(/\D/g, "");
  if (WRITTEN_PHONE.test(q.trim()) && digits.length >= 6) return [digits];
  const words = q.split(BETWEEN).filter(Boolean);
  const telling = words.filter((word) => !UNIT_WORD.test(word));
  return [...new Set(telling.length > 0 ? telling : words)];
}

const TRIGRAM = 3;

/** Whether the trigram index can find this search. */
export function indexedSearch(q: string): boolean {
  return searchTerms(q).some((word) => word.length >= TRIGRAM);
}

/** Every word of `q` occurs somewhere in `text`, which holds what identifies a person of `users u`. */
export function matching(q: string, text: RawBuilder<unknown> = sql`u.search_text`): RawBuilder<boolean> {
  const conditions = searchTerms(q).map((word) => sql`${text} LIKE ${containing(word)}`);
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` AND `)})`;
}
