import { api } from "#contract/api.ts";
import type { Db } from "#server/db/database.ts";
import {
  listTemplates,
  readTemplate,
  templateUses,
  templateVersions,
} from "#server/features/templates/queries.ts";
import {
  archiveTemplate,
  createTemplate,
  duplicateTemplate,
  updateTemplate,
} from "#server/features/templates/save-template.ts";
import { sendTest } from "#server/features/templates/send-test.ts";
import { on, type Route } from "#server/http/route.ts";

export function templatesRoutes({ db }: { db: Db }): Route[] {
  return [
    on(api.templates.list, async ({ query }) => listTemplates(db, query)),

    on(api.templates.read, async ({ params }) => readTemplate(db, params.id)),

    on(api.templates.create, async ({ body, by }) => readTemplate(db, await createTemplate(db, body, by))),

    on(api.templates.update, async ({ params, body, by }) => {
      await updateTemplate(db, params.id, body, by);
      return readTemplate(db, params.id);
    }),

    on(api.templates.duplicate, async ({ params, by }) =>
      readTemplate(db, await duplicateTemplate(db, params.id, by)),
    ),

    on(api.templates.archive, async ({ params, body, by }) => {
      await archiveTemplate(db, params.id, body.archived, by);
      return readTemplate(db, params.id);
    }),

    on(api.templates.versions, async ({ params, query }) => templateVersions(db, params.id, query)),

    on(api.templates.uses, async ({ params }) => {
      await readTemplate(db, params.id);
      return templateUses(db, params.id);
    }),

    on(api.templates.sendTest, async ({ body, user }) => ({ message: await sendTest(db, body, user) })),
  ];
}
