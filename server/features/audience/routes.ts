import { api } from "#contract/api.ts";
import { zoned } from "#contract/recurrence.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { withPersonal } from "#server/audience/details.ts";
import { valuesThere } from "#server/audience/values.ts";
import type { Db } from "#server/db/database.ts";
import type { LinksFor } from "#server/delivery/content/compiled.ts";
import type { Transports } from "#server/delivery/accounts/open-transports.ts";
import { leftOutByReason, reachPage } from "#server/audience/reach-page.ts";
import { countTexts } from "#server/features/audience/count-texts.ts";
import { previewMessage } from "#server/features/audience/preview.ts";
import { plannedPeople, reachNow } from "#server/features/audience/reach-now.ts";
import { sendTest } from "#server/features/audience/send-test.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import type { InTurn } from "#server/http/in-turn.ts";
import { on, type Route, type SessionUser } from "#server/http/route.ts";

type AudienceDeps = {
  db: Db;
  transports: Transports;
  linksFor: LinksFor;
  ownLinksFor: LinksFor;
  inTurn: InTurn;
  now: () => Date;
};

export function audienceRoutes({
  db,
  transports,
  linksFor,
  ownLinksFor,
  inTurn,
  now,
}: AudienceDeps): Route[] {
  /** Without a file that is someone else's, or gone. */
  const withOwn = async <Body extends { valuesId: number | null }>(body: Body, user: SessionUser) => {
    const there = body.valuesId !== null && (await valuesThere(db, body.valuesId, user.id));
    return there ? body : { ...body, valuesId: null };
  };
  const questionOf = async (body: BodyOf<typeof api.audience.reach>, user: SessionUser) => {
    const { recipients, channels, fields, perHome, skipIf, valuesId } = await withOwn(body, user);
    return {
      audience: recipients,
      channels,
      perHome,
      skipIf,
      fields: await withPersonal(db, fields, { valuesId, recipients }),
    };
  };
  return [
    on(api.audience.reach, async ({ body, request, user }) =>
      inTurn(request, async () => reachNow(db, await questionOf(body, user))),
    ),

    on(api.audience.reachList, async ({ body, request, user }) =>
      inTurn(request, async () => reachPage(db, { ...body, ...(await questionOf(body, user)) })),
    ),

    on(api.audience.leftOut, async ({ body, request, user }) => {
      const rows = await inTurn(request, async () => leftOutByReason(db, await questionOf(body, user)));
      return { rows, total: rows.length };
    }),

    on(api.audience.planned, async ({ body, request }) =>
      inTurn(request, () => plannedPeople(db, body.notificationIds)),
    ),

    on(api.audience.preview, async ({ body, request, user }) => {
      const organization = await readOrganization(db);
      return inTurn(request, async () =>
        previewMessage(db, await withOwn(body, user), { ...organization, linksFor, now: now() }),
      );
    }),

    on(api.audience.texts, async ({ body, request, user }) => {
      const organization = await readOrganization(db);
      return inTurn(request, async () =>
        countTexts(db, await withOwn(body, user), { ...organization, now: now() }),
      );
    }),

    on(api.audience.sendTest, async ({ body, by }) => {
      const organization = await readOrganization(db);
      return sendTest(
        db,
        await withOwn(body, by.user),
        { ...organization, transports, linksFor: ownLinksFor, now: now() },
        by,
      );
    }),

    on(api.audience.today, async () => {
      const timezone = await readSetting(db, "timezone");
      const local = zoned(timezone, now());
      return {
        timeZone: timezone,
        now: now().toISOString(),
        today: local.toPlainDate().toString(),
        time: local.toPlainTime().toString({ smallestUnit: "minute" }),
      };
    }),
  ];
}
