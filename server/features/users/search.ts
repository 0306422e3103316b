import { type RawBuilder, sql } from "kysely";
import { containing } from "#server/db/like.ts";

const WRITTEN_PHONE = /^[+(]?[\d\s().+-]{6,}$/;

/**
 * LIKE patterns that all must fit `search_text`, which is in small letters: one for each word of `q`.
 * A number as people write it, "(415) 555-0123", is looked for by its digits, as it is stored.
 */
export function likePatterns(q: string): string[] {
  return wordsOf(q).map(containing);
}

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
  const conditions = likePatterns(q).map((pattern) => sql`u.search_text LIKE ${pattern}`);
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` AND `)})`;
}
