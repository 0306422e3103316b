import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import pLimit from "p-limit";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import {
  isArchivedMail,
  recordClick,
  recordOpen,
  trackedLink,
} from "#server/delivery/receipts/take-tracked.ts";
import {
  readTrackingKey,
  readTrackingToken,
  TRACKING_PATH,
} from "#server/delivery/receipts/tracking-address.ts";
import { oldLinkPage, unknownLinkPage } from "#server/features/consent/page.ts";

/** One transparent pixel. */
const IMAGE = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Without the site's name, so that it costs no query. */
const UNKNOWN_LINK = unknownLinkPage("the sender");
const OLD_LINK = oldLinkPage();

/**
 * A run to everyone is opened by thousands at the same moment, and image proxies load for many people from one address.
 * So nothing is counted by address. Instead, all of them together use a few database connections, and beyond so many
 * waiting ones an open goes uncounted.
 */
const AT_ONCE = 3;
const MOST_WAITING = 1000;

/** Where tracked emails load their image from and their links lead to: public, without cookies. */
export async function trackedMail(app: FastifyInstance, { db }: { db: Db }): Promise<void> {
  const key = await readTrackingKey(db);
  const limit = pLimit(AT_ONCE);
  const busy = () => limit.pendingCount >= MOST_WAITING;
  const uncounted = (request: FastifyRequest) => (err: unknown) =>
    request.log.warn({ err }, "an open or click could not be counted");
  const neverStored = (reply: FastifyReply) =>
    reply.header("Cache-Control", "no-store").header("Referrer-Policy", "no-referrer");

  // Any token gets the image, so that trying them out tells nothing. HEAD is a look ahead.
  app.get<{ Params: { token: string } }>(`${TRACKING_PATH}/:token/open.gif`, async (request, reply) => {
    const mail = readTrackingToken(key, request.params.token);
    if (mail && request.method === "GET" && !busy())
      await limit(() => recordOpen(db, mail)).catch(uncounted(request));
    return (
      neverStored(reply)
        .type("image/gif")
        // Mail programs on the web show it on pages of their own.
        .header("Cross-Origin-Resource-Policy", "cross-origin")
        .send(IMAGE)
    );
  });

  app.get<{ Params: { token: string; link: string } }>(
    `${TRACKING_PATH}/:token/:link`,
    async (request, reply) => {
      void neverStored(reply);
      const { token, link } = request.params;
      const mail = /^\d{1,4}$/.test(link) ? readTrackingToken(key, token) : null;
      // Made-up links take no one's place in the queue.
      if (mail && busy()) {
        throw refusal("too-many-links-followed", {}, { retryAfter: 1 });
      }
      const found = mail && (await limit(() => trackedLink(db, mail, Number(link))));
      if (mail && !found && (await limit(() => isArchivedMail(db, mail)))) {
        request.log.info({ deliveryId: mail.deliveryId }, "a link in an archived email was followed");
        return reply.status(410).type("text/html; charset=utf-8").send(OLD_LINK);
      }
      if (!found) return reply.status(404).type("text/html; charset=utf-8").send(UNKNOWN_LINK);
      if (request.method === "GET") await limit(() => recordClick(db, mail, found)).catch(uncounted(request));
      return reply.redirect(found.address, 302);
    },
  );
}
