import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#contract/errors.ts";
import { replyWithError } from "#server/http/error-reply.ts";

const isPage = (method: string, url: string, accept: string) =>
  (method === "GET" || method === "HEAD") && !url.startsWith("/api/") && accept.includes("text/html");

/**
 * Serves the built web app. Files with a hash in their name never change; every path that is no file and
 * that a browser asks for as a page gets the app, which knows its own routes and its not-found page.
 */
export async function serveWeb(app: FastifyInstance, webRoot: string): Promise<void> {
  const index = await readFile(join(webRoot, "index.html"));
  await app.register(fastifyStatic, {
    root: webRoot,
    index: false,
    wildcard: false,
    setHeaders(reply, path) {
      const hashed = path.startsWith(join(webRoot, "assets"));
      void reply.header("Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  app.setNotFoundHandler((request, reply) => {
    if (isPage(request.method, request.url, request.headers.accept ?? "")) {
      return reply.type("text/html; charset=utf-8").header("Cache-Control", "no-cache").send(index);
    }
    return notFound(request, reply);
  });
}

/** What a process without the web app answers to an unknown address. */
export function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return replyWithError(new AppError("not-found", "There is nothing at this address"), request, reply);
}
