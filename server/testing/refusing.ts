import type { Db } from "#server/db/database.ts";

/** The same database, except that it refuses statements with this text while `refuses` says so. */
export function refusing(db: Db, text: string, refuses: () => boolean = () => true): Db {
  return db.withPlugin({
    transformQuery: ({ node }) => {
      if (refuses() && JSON.stringify(node).includes(text)) throw new Error("connection refused");
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
}
