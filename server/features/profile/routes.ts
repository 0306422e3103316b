import type { FastifyRequest } from "fastify";
import { profileCalls } from "#contract/calls/profile.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import type { LinksFor } from "#server/delivery/content/compiled.ts";
import { readAttachment } from "#server/features/attachments/queries.ts";
import { deviceName } from "#server/features/profile/device.ts";
import { listNotices, openNotice, readNotice, refuseOthersFile } from "#server/features/profile/notices.ts";
import {
  addPushBrowser,
  readPushBrowsers,
  removePushBrowser,
} from "#server/features/profile/push-browsers.ts";
import { readProfile } from "#server/features/profile/queries.ts";
import { changePassword, savePreferences, saveProfile } from "#server/features/profile/save-profile.ts";
import { on, type Route } from "#server/http/route.ts";
import { recordSecurityEvent } from "#server/http/security-events.ts";
import { type Cookies, endSessionNamed, endSessionsOf, sessionsOf, tokensOf } from "#server/http/session.ts";

type ProfileDeps = {
  db: Db;
  cookies: Cookies;
  linksFor: LinksFor;
  isBrowserEndpoint: (endpoint: string) => boolean;
};

/** For everyone, including tenants: each call reads and changes only the signed-in person. */
export function profileRoutes({ db, cookies, linksFor, isBrowserEndpoint }: ProfileDeps): Route[] {
  const tokenOf = (request: FastifyRequest) => cookies.session.read(request) ?? "";

  return [
    on(profileCalls.read, async ({ user }) => readProfile(db, user.id)),

    on(profileCalls.save, async ({ body, by }) => {
      await saveProfile(db, body, by);
      return readProfile(db, by.user.id);
    }),

    on(profileCalls.savePreferences, async ({ body, by }) => {
      await savePreferences(db, body, by);
      return readProfile(db, by.user.id);
    }),

    on(profileCalls.changePassword, async ({ body, by, request, reply }) => {
      const { token, change } = await changePassword(db, body, by, tokensOf(cookies, request));
      cookies.session.write(reply, token);
      const also = change === "password-and-calendar-link" ? ", and your calendar link is revoked" : "";
      return { message: `Your password was changed. Every other session has ended${also}.` };
    }),

    on(profileCalls.sessions, async ({ user, request }) => {
      const sessions = await sessionsOf(db, user.id, tokenOf(request));
      const rows = sessions.map(({ publicId, userAgent, createdAt, lastSeenAt, ...session }) => ({
        ...session,
        id: publicId,
        device: deviceName(userAgent),
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
      }));
      return { rows, total: rows.length };
    }),

    on(profileCalls.endSession, async ({ params: { id }, user, request }) => {
      const others = id === "others";
      const ended = others
        ? await endSessionsOf(db, user.id, tokensOf(cookies, request))
        : await endSessionNamed(db, user.id, id);
      if (ended > 0) {
        await recordSecurityEvent(db, request, {
          user,
          action: others ? "session.end-others" : "session.end-one",
          subject: { type: "user", id: user.id },
          detail: { ended },
        });
      }
      return { ended };
    }),

    on(profileCalls.pushBrowsers, async ({ user }) => readPushBrowsers(db, user.id)),
    on(profileCalls.addPushBrowser, async ({ body, by, request }) => {
      if (!isBrowserEndpoint(body.endpoint)) {
        throw refusal("push-service-unknown");
      }
      return addPushBrowser(db, body, request.headers["user-agent"] ?? null, by);
    }),
    on(profileCalls.removePushBrowser, async ({ params: { id }, by }) => {
      await removePushBrowser(db, id, by);
      return { id };
    }),

    on(profileCalls.notices, async ({ query, user }) => listNotices(db, user.id, query, linksFor)),
    on(profileCalls.notice, async ({ params: { id }, user }) => readNotice(db, user.id, id, linksFor)),
    on(profileCalls.openNotice, async ({ params: { id }, user }) => openNotice(db, user.id, id)),

    on(profileCalls.attachment, async ({ params: { id }, user }) => {
      await refuseOthersFile(db, user.id, id);
      const file = await readAttachment(db, id);
      if (!file) throw refusal("no-such-file");
      return file;
    }),
  ];
}
