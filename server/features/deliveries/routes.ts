import { api } from "#contract/api.ts";
import type { AppError } from "#contract/errors.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { readArchive } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { UnfilledFieldsError } from "#server/delivery/content/compile.ts";
import { deliveriesOf, otherChannelsOf } from "#server/activity/deliveries.ts";
import { renderedMessage } from "#server/activity/rendered.ts";
import { retryPreview } from "#server/delivery/retry/send-again.ts";
import { timelineOf } from "#server/activity/timeline.ts";
import { closedPreferenceLinks, preferenceLinks } from "#server/features/consent/links.ts";
import { on, type Route } from "#server/http/route.ts";

async function unknown(db: Db, id: number): Promise<AppError> {
  const archive = await readArchive(db, id);
  return archive ? refusal("delivery-archived", { archive }) : refusal("no-such-delivery");
}

/** Nothing was sent to this person, because a detail the message needs is not on file. */
function explain(error: unknown): never {
  throw error instanceof UnfilledFieldsError
    ? refusal("values-not-on-file", { fields: error.fields })
    : error;
}

export function deliveriesRoutes({ db, publicUrl }: { db: Db; publicUrl: URL }): Route[] {
  const own = preferenceLinks(publicUrl);
  const closed = closedPreferenceLinks(publicUrl);
  return [
    on(api.deliveries.list, async ({ params: { id }, query }) => {
      const runId = await runIdOf(db, id);
      const empty = runId === null || (await readArchive(db, runId)) !== null;
      return empty ? { rows: [], total: 0 } : deliveriesOf(db, runId, query);
    }),

    on(api.deliveries.retryPreview, async ({ params: { id }, query }) => retryPreview(db, id, query)),

    on(api.deliveries.timeline, async ({ params: { id } }) => {
      const found = await timelineOf(db, id);
      if (!found) throw await unknown(db, id);
      return { ...found, otherChannels: await otherChannelsOf(db, found.delivery) };
    }),

    on(api.deliveries.message, async ({ params: { id }, user }) => {
      // Your own test is worth nothing if its links don't work.
      const linksFor = (token: string, recipient: number) =>
        recipient === user.id ? own(token) : closed(token);
      const message = await renderedMessage(db, id, linksFor).catch(explain);
      if (!message) throw await unknown(db, id);
      return message;
    }),
  ];
}

/** The run that a notification's page speaks of; null while none has begun. Throws not-found. */
async function runIdOf(db: Db, notificationId: number): Promise<number | null> {
  const row = await db
    .selectFrom("notifications as n")
    .leftJoin("runs as r", "r.notification_id", "n.id")
    .select("r.id as runId")
    .where("n.id", "=", notificationId)
    .executeTakeFirst();
  if (!row) throw refusal("no-such-notification");
  return row.runId;
}
