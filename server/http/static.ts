import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refusal } from "#contract/refusals/refusal.ts";
import { replyWithError } from "#server/http/error-reply.ts";
import { pages, type Visitor } from "#server/http/page.ts";

/** How long a page waits to learn whom it is for. It must come also while the database does not answer. */
const VISITOR_MS = 300;

/**
 * Whether a request asks for a page of the app. A browser asks for HTML. A monitor or a command line accepts anything;
 * then only a URL that looks like a file is not a page. A missing chunk of an older build must not get the page, and
 * neither must a path that is reserved for machines: a password manager checks that unknown ones don't exist.
 */
function asksForPage({ method, url, headers }: FastifyRequest): boolean {
  const [path = ""] = url.split("?");
  if ((method !== "GET" && method !== "HEAD") || /^\/(api|\.well-known)(\/|$)/.test(path)) return false;
  const accept = headers.accept ?? "*/*";
  if (accept.includes("text/html")) return true;
  return /(^|,)\s*(\*|text)\/\*/.test(accept) && !/\.[^/]*$/.test(path);
}

/**
 * Serves the built web app. Files with a hash in their name never change; every path that is no file and
 * is asked for as a page gets the app, which knows its own routes and its not-found page.
 */
export async function serveWeb(
  app: FastifyInstance,
  webRoot: string,
  visitorOf: (request: FastifyRequest) => Promise<Visitor>,
): Promise<void> {
  const pageFor = await pages(webRoot);
  await app.register(fastifyStatic, {
    root: webRoot,
    index: false,
    wildcard: false,
    preCompressed: true,
    setHeaders(reply, path) {
      const hashed = path.startsWith(join(webRoot, "assets"));
      void reply.header("Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  // Where password managers look for the page on which people change their password.
  app.get("/.well-known/change-password", (_request, reply) => reply.redirect("/profile#password", 302));
  app.setNotFoundHandler(async (request, reply) => {
    if (asksForPage(request)) {
      const late = sleep(VISITOR_MS, "unknown" as const, { ref: false });
      const page = pageFor(request.url, await Promise.race([visitorOf(request), late]));
      return reply.type("text/html; charset=utf-8").header("Cache-Control", "no-cache").send(page);
    }
    return notFound(request, reply);
  });
}

/** The answer for an unknown URL in a process without the web app. */
export function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return replyWithError(refusal("nothing-at-address"), request, reply);
}
