import { type RawBuilder, sql } from "kysely";

/** Text for a LIKE pattern, with LIKE's special characters escaped. */
export const escaped = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

/**
 * A LIKE pattern for lowercase text that contains this. The database lowercases it, as it did the text: JavaScript's
 * lower case of some letters is another one ("İ", "Σ").
 */
export const containing = (text: string): RawBuilder<string> => sql`lower(${`%${escaped(text)}%`})`;
