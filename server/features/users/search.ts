import { type RawBuilder, sql } from "kysely";
import { containing } from "#server/db/like.ts";

const WRITTEN_PHONE = /^[+(]?[\d\s().+-]{6,}$/;

/** The words of `q`. A number as people write it, "(415) 555-0123", is looked for by its digits, as it is stored. */
function wordsOf(q: string): string[] {
  const digits = q.replaceAll(/\D/g, "");
  const words =
    WRITTEN_PHONE.test(q.trim()) && digits.length >= 6
      ? [digits]
      : q.toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(words)];
}

const TRIGRAM = 3;

/** Whether an index of three-letter pieces finds what is searched for. */
export function indexedSearch(q: string): boolean {
  return wordsOf(q).some((word) => word.length >= TRIGRAM);
}

/** Every word of `q` occurs somewhere in what identifies a person of `users u`. */
export function matching(q: string): RawBuilder<boolean> {
  const conditions = wordsOf(q).map((word) => sql`u.search_text LIKE ${containing(word)}`);
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` AND `)})`;
}
