import { api } from "#contract/api.ts";
import { AppError } from "#contract/errors.ts";
import { type NotificationDetail, recentRow } from "#contract/notifications.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { recordAudit } from "#server/db/audit.ts";
import { cancelRun } from "#server/delivery/cancel-run.ts";
import { tellPages } from "#server/delivery/hints.ts";
import { sendAgain } from "#server/delivery/send-again.ts";
import { spanOf } from "#server/features/notifications/period.ts";
import {
  listNotifications,
  present,
  readByClientKey,
  readDetail,
  readStored,
} from "#server/features/notifications/queries.ts";
import { reportCsv } from "#server/features/notifications/report.ts";
import { checkDraft, insertNotification } from "#server/features/notifications/save.ts";
import { sendNow } from "#server/features/notifications/send-now.ts";
import { updateNotification } from "#server/features/notifications/update.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { on, type Route, type SessionUser } from "#server/http/route.ts";

export type NotificationsDeps = { db: Db; now: () => Date };

export function notificationsRoutes({ db, now }: NotificationsDeps): Route[] {
  const detail = async (id: number): Promise<NotificationDetail> => {
    const found = await readDetail(db, id);
    if (!found) throw new AppError("not-found", "Notification not found");
    return found;
  };

  const rowOf = async (id: number) => {
    const stored = await readStored(db, id);
    const [row] = stored ? await present(db, [stored]) : [];
    if (!row) throw new AppError("not-found", "Notification not found");
    return row;
  };

  /** The row that an earlier call with this key made; checked first, since what it named may have passed by now. */
  const repeated = async (user: SessionUser, clientKey: string | undefined) => {
    if (clientKey === undefined) return null;
    const stored = await readByClientKey(db, user.id, clientKey);
    return stored && ((await present(db, [stored]))[0] ?? null);
  };

  const clock = async () => ({ zone: await readSetting(db, "timezone"), now: now() });

  const update = (action: typeof api.notifications.update) =>
    on(action, async ({ params: { id }, body, user, ip }) => {
      await updateNotification(db, id, body, { user, ip, ...(await clock()) });
      return detail(id);
    });

  return [
    on(api.notifications.list, async ({ query: { time, ...query } }) => {
      if (!time) return listNotifications(db, query);
      const { now: at, zone } = await clock();
      return listNotifications(db, { ...query, span: spanOf(time, at, zone) });
    }),

    on(api.notifications.recent, async ({ params: { count } }) => {
      const { rows, total } = await listNotifications(db, { page: 1, pageSize: count });
      return { rows: rows.map((row) => recentRow.parse(row)), total };
    }),

    on(api.notifications.send, async ({ body: { message, clientKey, ...body }, user, ip }) => {
      const earlier = await repeated(user, clientKey);
      if (earlier) return earlier;
      const written = { ...body, content: message, status: "Draft" as const };
      const checked = await checkDraft(db, written, {
        ...(await clock()),
        goesOut: true,
        textField: "message",
      });
      const id = await transaction(db, async (tx) => {
        const made = await insertNotification(tx, checked, { user, clientKey });
        if (made.fresh) await sendNow(tx, made.id, { user, ip });
        return made.id;
      });
      return rowOf(id);
    }),

    on(api.notifications.create, async ({ body: { clientKey, ...body }, user, ip }) => {
      const earlier = await repeated(user, clientKey);
      if (earlier) return earlier;
      const checked = await checkDraft(db, body, {
        ...(await clock()),
        goesOut: body.status !== "Draft",
        textField: "content",
      });
      const id = await transaction(db, async (tx) => {
        const made = await insertNotification(tx, checked, { user, clientKey });
        if (made.fresh) {
          await recordAudit(tx, {
            actor: user,
            ip,
            action: "notification.create",
            subject: { type: "notification", id: made.id },
            detail: { status: checked.status },
          });
          await tellPages(tx, { type: "notifications" });
        }
        return made.id;
      });
      return rowOf(id);
    }),

    on(api.notifications.detail, async ({ params: { id } }) => detail(id)),
    update(api.notifications.update),
    update(api.notifications.patch),

    on(api.notifications.cancel, async ({ params: { id }, user, ip }) => {
      await cancelRun(db, id, (tx) =>
        recordAudit(tx, {
          actor: user,
          ip,
          action: "notification.cancel",
          subject: { type: "notification", id },
        }),
      );
      return detail(id);
    }),

    on(api.notifications.sendNow, async ({ params: { id }, user, ip }) => {
      await transaction(db, (tx) => sendNow(tx, id, { user, ip }));
      return detail(id);
    }),

    on(api.notifications.sendAgain, async ({ params: { id }, body, user, ip }) =>
      sendAgain(db, id, body, (tx) =>
        recordAudit(tx, {
          actor: user,
          ip,
          action: "notification.send-again",
          subject: { type: "notification", id },
          detail: body,
        }),
      ),
    ),

    on(api.notifications.report, async ({ params: { id } }) => {
      const { title } = await detail(id);
      return {
        name: `${Array.from(title).slice(0, 80).join("")} report.csv`,
        type: "text/csv; charset=utf-8",
        bytes: reportCsv(db, id),
      };
    }),
  ];
}
