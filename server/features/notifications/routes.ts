import { isolated } from "#contract/text/isolate.ts";
import { api } from "#contract/api.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { type NotificationDetail, type NotificationRow, recentRow } from "#contract/calls/notifications.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { recordAudit } from "#server/db/audit.ts";
import { cancelRun } from "#server/delivery/runs/cancel-run.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { sendAgain } from "#server/delivery/retry/send-again.ts";
import { dismissFailure } from "#server/features/notifications/attention.ts";
import { spanOf, spanOfDay } from "#server/features/notifications/period.ts";
import {
  listNotifications,
  present,
  readDetail,
  readStored,
} from "#server/features/notifications/queries.ts";
import { removeDraft } from "#server/features/notifications/remove-draft.ts";
import { checkDraft, insertNotification } from "#server/features/notifications/save.ts";
import {
  type IdempotencyKey,
  idempotencyKey,
  readEarlier,
} from "#server/features/notifications/idempotency.ts";
import { isSandboxOnly, sendNow } from "#server/features/notifications/send-now.ts";
import { uncancel } from "#server/features/notifications/uncancel.ts";
import { updateNotification } from "#server/features/notifications/update.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { on, type Route, type SessionUser } from "#server/http/route.ts";

type NotificationsDeps = { db: Db; now: () => Date };

export function notificationsRoutes({ db, now }: NotificationsDeps): Route[] {
  const detail = async (id: number): Promise<NotificationDetail> => {
    const found = await readDetail(db, id, now());
    if (!found) throw refusal("no-such-notification");
    return found;
  };

  const rowOf = async (id: number) => {
    const stored = await readStored(db, id);
    const [row] = stored ? await present(db, [stored], now()) : [];
    if (!row) throw refusal("no-such-notification");
    return row;
  };

  const clock = async () => ({ zone: await readSetting(db, "timezone"), now: now() });

  /** The row that the same call created earlier. Checked first, because its time may have passed by now. */
  const earlierRow = async (user: SessionUser, key: IdempotencyKey | null) => {
    const stored = key && (await readEarlier(db, user.id, key));
    return stored ? (await present(db, [stored], now()))[0] : undefined;
  };

  /** Creates a notification unless this key has created it before; of two simultaneous calls, one creates it. */
  const once = async (
    user: SessionUser,
    key: IdempotencyKey | null,
    make: () => Promise<number | null>,
  ): Promise<NotificationRow> => {
    const earlier = await earlierRow(user, key);
    if (earlier) return earlier;
    const made = await make();
    const row = made === null ? await earlierRow(user, key) : await rowOf(made);
    if (!row) throw new Error("a client key is in use, but its notification does not exist");
    return row;
  };

  const newest = async (count: number) => {
    const { rows, total } = await listNotifications(db, { recent: true, page: 1, pageSize: count }, now());
    return { rows: rows.map((row) => recentRow.parse(row)), total };
  };

  const update = (action: typeof api.notifications.update) =>
    on(action, async ({ params: { id }, body, by }) => {
      await updateNotification(db, id, body, { by, ...(await clock()) });
      return detail(id);
    });

  return [
    on(api.notifications.list, async ({ query: { time, day, ...query } }) => {
      const { now: at, zone } = await clock();
      const span = day ? spanOfDay(day, zone) : time && spanOf(time, at, zone);
      return listNotifications(db, { ...query, time: day ? undefined : time, ...(span && { span }) }, at);
    }),

    on(api.notifications.recentFour, async () => newest(4)),
    on(api.notifications.recent, async ({ params: { count } }) => newest(count)),

    on(
      api.notifications.send,
      async ({ body: { message, clientKey, templateVersion, ...body }, user, by }) => {
        const written = { ...body, templateVersion, content: message, status: "Draft" as const };
        // Without the version: a template may change between a call whose reply is lost and its repeat.
        const key = idempotencyKey(clientKey, { ...body, message });
        const row = await once(user, key, async () => {
          const planning = await clock();
          const checked = await checkDraft(db, written, {
            ...planning,
            userId: user.id,
            plan: { kind: "now" },
            textField: "message",
          });
          return transaction(db, async (tx) => {
            const id = await insertNotification(tx, checked, { user, key, planning });
            if (id !== null) await sendNow(tx, id, by, { context: { again: body.again } });
            return id;
          });
        });
        return { ...row, sandboxOnly: await isSandboxOnly(db, row.id) };
      },
    ),

    on(api.notifications.create, async ({ body: { clientKey, templateVersion, ...body }, user, by }) => {
      const key = idempotencyKey(clientKey, body);
      return once(user, key, async () => {
        const written = { ...body, templateVersion };
        const planning = await clock();
        const checked = await checkDraft(db, written, { ...planning, userId: user.id, textField: "content" });
        return transaction(db, async (tx) => {
          const id = await insertNotification(tx, checked, { user, key, planning });
          if (id === null) return null;
          await recordAudit(tx, {
            by,
            action: "notification.create",
            subject: { type: "notification", id },
            detail: { status: checked.status },
          });
          await notifyPages(tx, { type: "notifications" });
          return id;
        });
      });
    }),

    on(api.notifications.detail, async ({ params: { id } }) => detail(id)),
    update(api.notifications.update),
    update(api.notifications.patch),

    on(api.notifications.remove, async ({ params: { id }, by }) => {
      const title = await removeDraft(db, id, by);
      return { message: `“${isolated(title)}” was deleted.` };
    }),

    on(api.notifications.cancel, async ({ params: { id }, by }) => {
      await cancelRun(db, id, (tx) =>
        recordAudit(tx, {
          by,
          action: "notification.cancel",
          subject: { type: "notification", id },
        }),
      );
      return detail(id);
    }),

    on(api.notifications.uncancel, async ({ params: { id }, by }) => {
      await uncancel(db, id, { by, ...(await clock()) });
      return detail(id);
    }),

    on(api.notifications.dismiss, async ({ params: { id }, body: { missed }, by }) => {
      await dismissFailure(db, id, missed, by);
      return { dismissed: missed !== null };
    }),

    on(api.notifications.sendNow, async ({ params: { id }, query, by }) => {
      const sandboxOnly = await transaction(db, async (tx) => {
        await sendNow(tx, id, by, { context: query });
        return isSandboxOnly(tx, id);
      });
      return { ...(await detail(id)), sandboxOnly };
    }),

    on(api.notifications.sendAgain, async ({ params: { id }, body, by }) =>
      sendAgain(db, id, body, (tx) =>
        recordAudit(tx, {
          by,
          action: "notification.send-again",
          subject: { type: "notification", id },
          detail: body,
        }),
      ),
    ),
  ];
}
