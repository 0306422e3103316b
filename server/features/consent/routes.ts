import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Channel, channels } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";
import { changeFormer, findFormer } from "#server/features/consent/former-links.ts";
import {
  changeSentence,
  formerLinkPage,
  formerSentence,
  preferencesPage,
  type Said,
  unknownLinkPage,
} from "#server/features/consent/page.ts";
import { changeConsent, findByToken } from "#server/features/consent/queries.ts";
import { readSetting } from "#server/features/settings/queries.ts";

type TokenRoute = { Params: { token: string } };

const isChannel = (value: string | null): value is Channel =>
  (channels as readonly (string | null)[]).includes(value);

/**
 * The link in every email, opened without signing in. GET only shows, because link scanners follow it. POST changes;
 * RFC 8058's one-click POST comes from mail providers, without a cookie or a page before it.
 */
export async function consentPages(app: FastifyInstance, { db }: { db: Db }): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 4096 },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  );
  // A one-click POST may also come as multipart/form-data; its only content is the one-click itself.
  app.addContentTypeParser(
    "multipart/form-data",
    { parseAs: "string", bodyLimit: 4096 },
    (_request, body, done) =>
      done(
        null,
        new URLSearchParams(/List-Unsubscribe/i.test(body as string) ? "List-Unsubscribe=One-Click" : ""),
      ),
  );

  const html = (reply: FastifyReply, status: number, page: string) =>
    reply.status(status).type("text/html; charset=utf-8").header("Cache-Control", "no-store").send(page);

  const show = async (request: FastifyRequest<TokenRoute>, reply: FastifyReply, said: Said | null = null) => {
    const { token } = request.params;
    const [person, siteName] = await Promise.all([findByToken(db, token), readSetting(db, "siteName")]);
    const status = said?.done === false ? 409 : 200;
    if (person) return html(reply, status, preferencesPage(person, siteName, said));
    const former = await findFormer(db, token);
    return former.length > 0
      ? html(reply, status, formerLinkPage(former, siteName, said))
      : html(reply, 404, unknownLinkPage(siteName));
  };

  app.get<TokenRoute>("/u/:token", (request, reply) => show(request, reply));

  app.post<TokenRoute>("/u/:token", async (request, reply) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const oneClick = form.has("List-Unsubscribe");
    const channel = oneClick ? "email" : form.get("channel");
    const answer = oneClick ? "false" : form.get("allowed");
    // A value that the page never sends changes nothing.
    if (!isChannel(channel) || (answer !== "true" && answer !== "false")) return show(request, reply);
    const allowed = answer === "true";
    const source = oneClick ? "one-click" : "preferences-page";
    const by = { source, ip: request.ip } as const;
    const person = await findByToken(db, request.params.token);
    try {
      if (person) {
        await changeConsent(db, { userId: person.id, channel, allowed, actorId: null, ...by });
        return await show(request, reply, { done: true, text: changeSentence(channel, allowed) });
      }
      const [former] = (await findFormer(db, request.params.token)).filter((one) => one.channel === channel);
      if (!former) return await show(request, reply);
      await changeFormer(db, former, allowed, by);
      return await show(request, reply, {
        done: true,
        text: `Saved. ${formerSentence({ ...former, allowed })}`,
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      return show(request, reply, { done: false, text: error.message });
    }
  });
}
