import { type RawBuilder, sql } from "kysely";
import { fold } from "#contract/text/fold.ts";

/** A text without case, accents and apostrophes, as `fold` of contract/text/fold.ts makes it. */
export const folded = (text: RawBuilder<unknown>): RawBuilder<string> => sql`fold(${text})`;

/** What lists are sorted by where no column stores it, as `sortKey` of contract/text/fold.ts. */
export const sortKeyOf = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql`by_number(fold(${text})) COLLATE "C"`;

/** A LIKE pattern for folded text that contains this. Planning is quicker with one that is written out. */
export const containing = (text: string): RawBuilder<string> =>
  isPlain(text)
    ? sql`${`%${fold(text).replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`}::text`
    : sql`containing(${text})`;

/** Of these letters, any version of Unicode says the same. */
const isPlain = (text: string) => /^[ -~]*$/.test(text);

/** A LIKE pattern for folded text that contains this, with `*` for any letters, and nothing before or after. */
export const fitting = (text: string): RawBuilder<string> =>
  sql`replace(substr(containing(${text}), 2, length(containing(${text})) - 2), '*', '%')`;

/** Sorts by how well a name fits: it begins with this, it has a word that does, or neither. Also in web/ui/form/use-search.ts. */
export const fit = (name: RawBuilder<string>, text: string): RawBuilder<number> =>
  sql`CASE WHEN fold(${name}) LIKE substr(containing(${text}), 2) THEN 0
    WHEN fold(${name}) LIKE '% ' || substr(containing(${text}), 2) THEN 1 ELSE 2 END`;
