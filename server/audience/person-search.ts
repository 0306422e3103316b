import { type RawBuilder, sql } from "kysely";
import { containing } from "#server/db/like.ts";

const WRITTEN_PHONE = /^[+(]?[\d\s().+-]{6,}$/;
/** What stands between property and unit: "Maple Court / 4B", "Maple Court, #4B", "Maple Court - 4B". */
const BETWEEN = /[\s,;/|#]+(?:[-–—]+\s+)?/;
/** Says only that a unit follows; the unit is stored without it as often as with it. */
const UNIT_WORD = /^(?:unit|apartment|apt|suite|ste)\.?$/;

/**
 * The words of `q` by which people are looked for. A number as people write it, "(415) 555-0123", is looked for by its
 * digits, as it is stored; a home by its names, "maple", "court", "4b", however the list or a letter sets them apart.
 */
function searchTerms(q: string): string[] {
  const digits = q.replaceAll(/\D/g, "");
  if (WRITTEN_PHONE.test(q.trim()) && digits.length >= 6) return [digits];
  const words = q.toLowerCase().split(BETWEEN).filter(Boolean);
  const telling = words.filter((word) => !UNIT_WORD.test(word));
  return [...new Set(telling.length > 0 ? telling : words)];
}

const TRIGRAM = 3;

/** Whether an index of three-letter pieces finds what is searched for. */
export function indexedSearch(q: string): boolean {
  return searchTerms(q).some((word) => word.length >= TRIGRAM);
}

/** Every word of `q` occurs somewhere in what identifies a person, which is `text` of `users u`. */
export function matching(q: string, text: RawBuilder<unknown> = sql`u.search_text`): RawBuilder<boolean> {
  const conditions = searchTerms(q).map((word) => sql`${text} LIKE ${containing(word)}`);
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` AND `)})`;
}
