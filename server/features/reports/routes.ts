import { isolated } from "#contract/text/isolate.ts";
import { api } from "#contract/api.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { readDetail } from "#server/features/notifications/queries.ts";
import { readSetting, readSettings } from "#server/features/settings/queries.ts";
import { on, type Route } from "#server/http/route.ts";
import { reportCsv } from "./csv.ts";
import { readHead, type Subject } from "./head.ts";
import type { Part, PrintedHead } from "./pdf/printed.ts";
import { readPeople } from "./people.ts";
import { printed } from "./print.ts";
import { timesIn } from "./times.ts";

export function reportsRoutes({ db, now }: { db: Db; now: () => Date }): Route[] {
  const sent = async (id: number) => {
    const notification = await readDetail(db, id, now());
    if (!notification) throw refusal("no-such-notification");
    const { progress } = notification;
    if (!progress) throw refusal("nothing-to-report");
    return { notification, progress };
  };
  const nameOf = (title: string, kind: string) => `${Array.from(title).slice(0, 80).join("")} report.${kind}`;

  return [
    on(api.reports.csv, async ({ params: { id } }) => {
      const { notification } = await sent(id);
      return {
        name: nameOf(notification.title, "csv"),
        type: "text/csv; charset=utf-8",
        bytes: reportCsv(db, id),
      };
    }),

    on(api.reports.pdf, async ({ params: { id } }) => {
      const { notification, progress } = await sent(id);
      const settings = { ...(await readSettings(db)), companyLogo: await readSetting(db, "companyLogo") };
      const times = timesIn(settings.timezone, new Date(progress.startedAt));
      const subject = { notification, progress, settings, times, now: now() };
      return {
        name: nameOf(notification.title, "pdf"),
        type: "application/pdf",
        bytes: printed(partsOf(db, subject, await readHead(db, subject))),
      };
    }),
  ];
}

async function* partsOf(db: Db, subject: Subject, head: PrintedHead): AsyncGenerator<Part> {
  yield { kind: "head", head };
  yield* readPeople(db, subject.progress.runId, subject.times);
  const { siteName } = subject.settings;
  yield {
    kind: "end",
    note: `End of the report. ${isolated(siteName)} created it on ${subject.times.full(subject.now)} from its own records.`,
  };
}
