import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Channel, channels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { changeSentence, preferencesPage, unknownLinkPage } from "#server/features/consent/page.ts";
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

  const show = async (
    request: FastifyRequest<TokenRoute>,
    reply: FastifyReply,
    said: string | null = null,
  ) => {
    const [person, siteName] = await Promise.all([
      findByToken(db, request.params.token),
      readSetting(db, "siteName"),
    ]);
    return person
      ? html(reply, 200, preferencesPage(person, siteName, said))
      : html(reply, 404, unknownLinkPage(siteName));
  };

  app.get<TokenRoute>("/u/:token", (request, reply) => show(request, reply));

  app.post<TokenRoute>("/u/:token", async (request, reply) => {
    const person = await findByToken(db, request.params.token);
    if (!person) return show(request, reply);
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const oneClick = form.has("List-Unsubscribe");
    const channel = oneClick ? "email" : form.get("channel");
    const answer = oneClick ? "false" : form.get("allowed");
    // A value that the page never sends changes nothing.
    if (!isChannel(channel) || (answer !== "true" && answer !== "false")) return show(request, reply);
    const allowed = answer === "true";
    await changeConsent(db, {
      userId: person.id,
      channel,
      allowed,
      source: oneClick ? "one-click" : "preferences-page",
      actorId: null,
      ip: request.ip,
    });
    return show(request, reply, changeSentence(channel, allowed));
  });
}
