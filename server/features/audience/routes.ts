import { api } from "#contract/api.ts";
import type { Db } from "#server/db/database.ts";
import { reachPage } from "#server/delivery/reach-page.ts";
import { reach } from "#server/delivery/reach.ts";
import { todayValue } from "#server/delivery/content/fields.ts";
import { plannedPeople } from "#server/features/audience/planned.ts";
import { previewMessage } from "#server/features/audience/preview.ts";
import { readSettings } from "#server/features/settings/queries.ts";
import { findTemplate } from "#server/features/templates/queries.ts";
import { on, type Route } from "#server/http/route.ts";

export function audienceRoutes({ db, now }: { db: Db; now: () => Date }): Route[] {
  const localTime = (zone: string) =>
    Temporal.Instant.fromEpochMilliseconds(now().getTime()).toZonedDateTimeISO(zone);

  return [
    on(api.audience.reach, async ({ body: { recipients, ...question } }) =>
      reach(db, { audience: recipients, ...question }),
    ),

    on(api.audience.reachList, async ({ body }) => {
      const { recipients, ...question } = body;
      return reachPage(db, { audience: recipients, ...question });
    }),

    on(api.audience.planned, async ({ body }) => plannedPeople(db, body.notificationIds)),

    on(api.audience.preview, async ({ body }) => {
      const [settings, template] = await Promise.all([
        readSettings(db),
        body.templateId === undefined || body.templateId === "" ? null : findTemplate(db, body.templateId),
      ]);
      const today = todayValue(localTime(settings.timezone).toPlainDate());
      return previewMessage(db, body, template, { siteName: settings.siteName, today });
    }),

    on(api.audience.today, async () => {
      const { timezone } = await readSettings(db);
      const local = localTime(timezone);
      return {
        timeZone: timezone,
        now: now().toISOString(),
        today: local.toPlainDate().toString(),
        time: local.toPlainTime().toString({ smallestUnit: "minute" }),
      };
    }),
  ];
}
