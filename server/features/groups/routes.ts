import { isolated } from "#contract/text/isolate.ts";
import { groups } from "#contract/calls/groups.ts";
import { users } from "#contract/calls/users.ts";
import type { Db } from "#server/db/database.ts";
import { listMembers, memberIds, tryRule } from "#server/features/groups/members.ts";
import { groupsBefore, listGroups, readGroup } from "#server/features/groups/queries.ts";
import { removeGroup } from "#server/features/groups/remove-group.ts";
import { settledRule } from "#server/features/groups/rule.ts";
import { createGroup, updateGroup } from "#server/features/groups/save-group.ts";
import { syncGroups } from "#server/features/groups/sync-groups.ts";
import type { InTurn } from "#server/http/in-turn.ts";
import { on, type Route } from "#server/http/route.ts";

export function groupsRoutes({ db, inTurn }: { db: Db; inTurn: InTurn }): Route[] {
  return [
    on(groups.list, async ({ query }) => listGroups(db, query)),
    on(groups.detail, async ({ params: { id } }) => {
      const [group, before] = await Promise.all([readGroup(db, id), groupsBefore(db, id)]);
      return { ...group, before };
    }),

    on(groups.create, async ({ body, by }) => readGroup(db, await createGroup(db, body, by))),

    on(groups.update, async ({ params: { id }, body, by }) => {
      await updateGroup(db, id, body, by);
      return readGroup(db, id);
    }),

    on(groups.remove, async ({ params: { id }, query: { detach }, by }) => {
      const name = await removeGroup(db, id, { detach, by });
      return { message: `“${isolated(name)}” was deleted.` };
    }),

    on(groups.members, async ({ params: { id }, query }) => listMembers(db, id, query)),
    on(groups.memberIds, async ({ params: { id } }) => ({ userIds: await memberIds(db, id) })),
    on(groups.tryRule, async ({ body, request }) =>
      inTurn(request, async () => tryRule(db, await settledRule(db, body))),
    ),
    on(users.syncGroups, async ({ by }) => syncGroups(db, by)),
  ];
}
