import type { FastifyInstance, HTTPMethods } from "fastify";
import type { Endpoint } from "#contract/endpoint.ts";
import type { AppError } from "#contract/errors.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { urlOf } from "#server/http/bind.ts";
import { MOST_VALUES, refuseComplexJson } from "#server/http/json-limits.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How many values the JSON may have. */
    mostValues?: number;
  }
}

/** JSON is the only body that calls take. An empty one counts as none, whatever its header says. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      refuseComplexJson(body as string, request.routeOptions.config.mostValues ?? MOST_VALUES);
    } catch (refusal) {
      return done(refusal as AppError);
    }
    void parse(request, body as string, done);
  });
}

/** An upload's body is a file's bytes, whatever type the browser gives them: the content decides. */
export function acceptBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const satisfies HTTPMethods[];

/** Answers 405 with the methods a path accepts when it is called with another one. */
export function refuseOtherMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  for (const [url, known] of Map.groupBy(endpoints, urlOf)) {
    const taken = known.map(({ method }) => method);
    // Anyone who may GET may ask for the head alone.
    const allow = taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    app.route({
      method: methods.filter((method) => !taken.some((one) => one === method)),
      url,
      // Before a body is read, since it is not wanted.
      onRequest: async (request, reply) => {
        void reply.header("Allow", allow);
        throw refusal("method-not-supported", { method: request.method, allowed: allow });
      },
      handler: () => undefined,
    });
  }
}
