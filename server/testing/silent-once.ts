import type { Db } from "#server/db/database.ts";

/** The same database, except that the first statement like this gets no answer until `end`. */
export function silentOnce(db: Db, like: RegExp): { db: Db; end: () => void; isSilent: () => boolean } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let first: object | undefined;
  let silent = false;
  const plugged = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (like.test(JSON.stringify(node))) first ??= queryId;
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (queryId !== first) return result;
      silent = true;
      await promise;
      return result;
    },
  });
  return { db: plugged, end: resolve, isSilent: () => silent };
}
