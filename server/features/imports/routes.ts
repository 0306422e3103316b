import { importResults } from "#contract/calls/import-results.ts";
import { imports } from "#contract/calls/imports.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { refreshStatistics } from "#server/db/refresh-statistics.ts";
import { changeImport, fixCells } from "#server/features/imports/change.ts";
import { guessChoices } from "#server/features/imports/guess.ts";
import { checkNext, importNext } from "#server/features/imports/import-next.ts";
import { progressOf, readOverview } from "#server/features/imports/overview.ts";
import { chooseLeaving, readLeaving } from "#server/features/imports/leaving.ts";
import { fileLeftOut } from "#server/features/imports/left-out.ts";
import {
  findFinished,
  findReadable,
  listFinished,
  readDid,
  readResult,
} from "#server/features/imports/read-result.ts";
import { stageWorkbook } from "#server/features/imports/stage.ts";
import { findImport, listImports } from "#server/features/imports/staged.ts";
import { checkUndo, undoNext } from "#server/features/imports/undo.ts";
import { on, type Route } from "#server/http/route.ts";

export function importsRoutes({ db }: { db: Db }): Route[] {
  return [
    on(imports.upload, async ({ query: { name, encoding }, request, user }) => {
      const bytes = request.body as Buffer | undefined;
      if (!Buffer.isBuffer(bytes)) throw refusal("sheet-empty", { name });
      const id = await stageWorkbook(db, {
        name,
        bytes,
        userId: user.id,
        encoding,
        choose: guessChoices,
      });
      return readOverview(db, await findImport(db, id, user.id));
    }),
    on(imports.list, async ({ user }) => {
      const rows = await listImports(db, user.id);
      return { rows, total: rows.length };
    }),
    on(imports.read, async ({ params: { id }, user }) =>
      readOverview(db, await findReadable(db, id, user.id)),
    ),
    on(imports.change, async ({ params: { id }, body, user }) =>
      readOverview(db, await changeImport(db, id, body, user.id)),
    ),
    on(imports.fix, async ({ params: { id }, body, user }) => ({
      fixed: await fixCells(db, id, body.cells, user.id),
    })),
    on(imports.check, async ({ params: { id }, body, user }) => checkNext(db, id, body, user.id)),
    on(imports.run, async ({ params: { id }, by }) => {
      const progress = progressOf(await importNext(db, id, by));
      if (progress.done) await refreshStatistics(db, ["users", "user_groups"]);
      return progress;
    }),
    on(importResults.list, async () => {
      const rows = await listFinished(db);
      return { rows, total: rows.length };
    }),
    on(importResults.read, async ({ params: { id } }) => readResult(db, id)),
    on(importResults.people, async ({ params: { id }, query }) => readDid(db, id, query)),
    on(importResults.leaving, async ({ params: { id }, user }) => readLeaving(db, id, user.id)),
    on(importResults.leave, async ({ params: { id }, body, user }) => chooseLeaving(db, id, body, user.id)),
    on(importResults.leftOut, async ({ params: { id } }) => fileLeftOut(db, await findFinished(db, id))),
    on(importResults.checkUndo, async ({ params: { id }, user }) => checkUndo(db, id, user.id)),
    on(importResults.undo, async ({ params: { id }, by }) => {
      const progress = await undoNext(db, id, by);
      if (progress.done) await refreshStatistics(db, ["users", "user_groups"]);
      return progress;
    }),
    on(imports.remove, async ({ params: { id }, user }) => {
      const { name } = await findImport(db, id, user.id);
      await db.deleteFrom("imports").where("id", "=", id).execute();
      return { message: `${name} is not kept anymore.` };
    }),
  ];
}
