import { AppError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";

/** The run that a notification's page shows; null if none has begun. Throws not-found. */
export async function newestRun(db: Db, notificationId: number): Promise<number | null> {
  const row = await db
    .selectFrom("notifications as n")
    .leftJoin("runs as r", "r.notification_id", "n.id")
    .select("r.id as runId")
    .where("n.id", "=", notificationId)
    .orderBy("r.id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) throw new AppError("not-found", "Notification not found");
  return row.runId;
}
