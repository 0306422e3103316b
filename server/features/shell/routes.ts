import { api } from "#contract/api.ts";
import type { Db } from "#server/db/database.ts";
import { accountStates } from "#server/delivery/accounts.ts";
import { readSettings } from "#server/features/settings/queries.ts";
import { markFailuresSeen, readUnseenFailures } from "#server/features/shell/queries.ts";
import { mayCall } from "#server/http/authorize.ts";
import type { EventHub } from "#server/http/events.ts";
import { on, type Route } from "#server/http/route.ts";
import { type Cookie, roleOfSession } from "#server/http/session.ts";

export type ShellDeps = { db: Db; cookie: Cookie; events: EventHub };

export function shellRoutes({ db, cookie, events }: ShellDeps): Route[] {
  return [
    on(api.shell.state, async ({ user }) => {
      const { siteName, timezone } = await readSettings(db);
      const tenant = user.role === "tenant";
      const [unseenFailures, states] = await Promise.all([
        tenant ? null : readUnseenFailures(db, user.id),
        tenant ? [] : accountStates(db),
      ]);
      return {
        siteName,
        timeZone: timezone,
        providers: states,
        unseenFailures,
      };
    }),

    on(api.shell.seen, async ({ user, body }) => {
      await markFailuresSeen(db, user.id, body);
      return readUnseenFailures(db, user.id);
    }),

    on(api.shell.events, async ({ request, reply }) => {
      const token = cookie.read(request) ?? "";
      const allowed = async () => mayCall(api.shell.events.access, await roleOfSession(db, token));
      events.subscribe(reply, { session: token, allowed });
    }),
  ];
}
