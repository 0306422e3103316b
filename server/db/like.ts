import { type RawBuilder, sql } from "kysely";

/** Text for a LIKE pattern, with LIKE's special characters escaped. */
export const escaped = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

/**
 * A LIKE pattern for lowercase text that contains this. The database lowercases it, as it did the text: JavaScript's
 * lower case of some letters is another one ("İ", "Σ").
 */
export const containing = (text: string): RawBuilder<string> => sql`lower(${`%${escaped(text)}%`})`;

/** Sorts by how well a name fits: it begins with this, it has a word that does, or neither. Also in web/ui/use-search.ts. */
export const fit = (name: RawBuilder<string>, text: string): RawBuilder<number> =>
  sql`CASE WHEN lower(${name}) LIKE lower(${`${escaped(text)}%`}) THEN 0
    WHEN lower(${name}) LIKE lower(${`% ${escaped(text)}%`}) THEN 1 ELSE 2 END`;
