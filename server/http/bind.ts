import { Readable } from "node:stream";
import * as z from "zod";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { endpoints } from "#contract/api.ts";
import type { Access, Endpoint } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import {
  authorize,
  refuseAnothersPage,
  refuseBeforeSetUp,
  refuseCrossSite,
  refuseUnconfirmed,
  refuseWithExpiredPassword,
} from "#server/http/authorize.ts";
import {
  bodyTooLarge,
  fileTooLarge,
  invalidInput,
  replyWithError,
  shortened,
  TOO_LARGE,
} from "#server/http/error-reply.ts";
import type { Budget } from "#server/http/budget.ts";
import type { Call, File, LongList, Page, Route } from "#server/http/route.ts";
import { recordExport, recordRefusal } from "#server/http/security-events.ts";
import {
  findSession,
  isUse,
  type Cookies,
  type Session,
  tokensOf,
  whyNoSession,
} from "#server/http/session.ts";

type Binding = {
  db: Db;
  cookies: Cookies;
  reads: Budget;
  writes: Budget;
  /** Also parse replies by their schema: in tests and development, where drift should fail. */
  checkReplies: boolean;
};

function parse(schema: Endpoint["body"], value: unknown): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidInput(result.error);
  return result.data;
}

function sendFile(reply: FastifyReply, file: File): FastifyReply {
  // RFC 6266: a plain name for old clients, the exact one percent-encoded.
  const plain = file.name.replaceAll(/[^\w. -]/g, "_");
  const exact = encodeURIComponent(file.name).replaceAll(
    /['()*]/g,
    (c) => `%${c.codePointAt(0)?.toString(16)}`,
  );
  return reply
    .type(file.type)
    .header("Content-Disposition", `attachment; filename="${plain}"; filename*=UTF-8''${exact}`)
    .header("Cache-Control", "no-store")
    .send(file.bytes);
}

/** The rows with their total and the address of the next page. */
function sendList(
  { request, reply, query }: Call<Endpoint>,
  list: Page<unknown> | LongList<unknown>,
  check: (rows: readonly unknown[]) => void,
): FastifyReply {
  noStore(reply);
  void reply.header("X-Total-Count", String(list.total));
  if ("about" in list && list.about) void reply.header("X-Total-Estimated", "true");
  const next = nextPage(request.url, query, list.total);
  if (next !== undefined) void reply.header("Link", `<${next}>; rel="next"`);
  if ("pages" in list) return sendInPages(reply, list.pages, check);
  check(list.rows);
  return reply.send(list.rows);
}

/** One JSON list, streamed a page at a time: a slow reader holds no more than a page in our memory. */
function sendInPages(
  reply: FastifyReply,
  pages: AsyncIterable<readonly unknown[]>,
  check: (rows: readonly unknown[]) => void,
): FastifyReply {
  const text = async function* () {
    let before = "[";
    for await (const rows of pages) {
      check(rows);
      if (rows.length === 0) continue;
      yield before + rows.map((row) => JSON.stringify(row)).join(",");
      before = ",";
    }
    yield before === "[" ? "[]" : "]";
  };
  return reply.type("application/json; charset=utf-8").send(Readable.from(text()));
}

const MOST_NAMED = 5;

/** Refuses a query parameter that the call does not have: a misspelled filter would return everything. */
function refuseUnknownQuery({ query }: Endpoint, sent: object): void {
  const known = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  const unknown = Object.keys(sent)
    .filter((name) => !known.includes(name))
    .slice(0, MOST_NAMED);
  if (unknown.length === 0) return;
  throw refusal("unknown-query", { names: unknown.map(shortened), accepted: known });
}

/**
 * Refuses a key of a JSON object that the call does not have: a message without its misspelled attachments would go out.
 * A change may also contain whatever a read of the same thing serves, which is ignored.
 */
function refuseUnknownKeys({ body }: Endpoint, accepted: ReadonlySet<string> | null, sent: unknown): void {
  if (accepted === null || typeof sent !== "object" || sent === null || Array.isArray(sent)) return;
  const unknown = Object.keys(sent)
    .filter((key) => !accepted.has(key))
    .slice(0, MOST_NAMED);
  if (unknown.length === 0) return;
  throw refusal("unknown-fields", { names: unknown.map(shortened), accepted: keysOf(body) });
}

/** Null if any key is accepted, or a strict schema refuses unknown ones itself. */
function acceptedKeys({ method, path, body }: Endpoint): ReadonlySet<string> | null {
  if (!(body instanceof z.ZodObject) || body.def.catchall) return null;
  const served = method === "POST" ? [] : endpoints.filter((other) => isOfSameThing(path, other.path));
  return new Set([body, ...served.map(({ reply }) => reply)].flatMap(keysOf));
}

/** `/api/users/{id}` and the list of all, `/api/users`. */
const isOfSameThing = (path: string, other: string) => path === other || path === `${other}/{id}`;

function keysOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodArray) return keysOf(schema.element);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The URL of the next page; undefined on the last page, and for lists without pages. */
function nextPage(url: string, query: unknown, total: number): string | undefined {
  const { page, pageSize } = (query ?? {}) as { page?: number; pageSize?: number };
  if (page === undefined || pageSize === undefined || page * pageSize >= total) return undefined;
  const [path = "", search] = url.split("?");
  const next = new URLSearchParams(search);
  next.set("page", String(page + 1));
  return `${path}?${next.toString()}`;
}

/** Parsing costs time, so the less we know about a caller, the less of it they get. In bytes. */
function bodyLimitOf(access: Access): number {
  if (access === "public") return 16 * 1024;
  return access === "signed-in" ? 64 * 1024 : 1024 * 1024;
}

/** The endpoint's path in the router's syntax. */
export const urlOf = ({ path }: Endpoint): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

/** Mounts one endpoint: access, input and reply. Access is decided before input is read. */
export function bind(app: FastifyInstance, { endpoint, handler }: Route, binding: Binding): void {
  const run = handler as (call: Call<Endpoint>) => Promise<unknown>;
  const { upload } = endpoint;
  const bodyLimit = upload?.limit ?? endpoint.bodyLimit ?? bodyLimitOf(endpoint.access);
  const accepted = acceptedKeys(endpoint);
  const sessions = new WeakMap<FastifyRequest, Session>();

  app.route({
    method: endpoint.method,
    url: urlOf(endpoint),
    bodyLimit,
    config: { ...(endpoint.mostValues !== undefined && { mostValues: endpoint.mostValues }) },
    // Fastify waits for it, although its type names no promise.
    // oxlint-disable-next-line typescript/no-misused-promises
    errorHandler: async (error: FastifyError, request, reply) => {
      const tooLarge = error.code === TOO_LARGE && (upload ? fileTooLarge(upload) : bodyTooLarge(bodyLimit));
      const refused = tooLarge || error;
      await recordRefusal(binding.db, request, {
        user: sessions.get(request)?.user ?? null,
        error: refused,
      });
      return replyWithError(refused, request, reply);
    },
    onRequest: async (request) => {
      refuseCrossSite(request);
      const tokens = tokensOf(binding.cookies, request);
      const token = tokens.session;
      const session = token ? await findSession(binding.db, token, isUse(request, endpoint)) : null;
      if (session) sessions.set(request, session);
      else if (endpoint.access !== "public") {
        const why = await whyNoSession(binding.db, tokens);
        if (why) throw why;
      }
      authorize(endpoint.access, session);
      if (!session) return;
      refuseAnothersPage(request.headers["x-porchlight-user"], session.user.id);
      // One after the other: neither step is needed for the other.
      if (session.passwordExpired) refuseWithExpiredPassword(endpoint);
      else refuseBeforeSetUp(endpoint, session);
      if (endpoint.confirmed) refuseUnconfirmed(session);
    },
    handler: async (request, reply) => {
      refuseUnknownQuery(endpoint, request.query as object);
      refuseUnknownKeys(endpoint, accepted, request.body);
      const session = sessions.get(request);
      const call: Call<Endpoint> = {
        params: parse(endpoint.params, declared(endpoint.params, request.params)),
        query: parse(endpoint.query, declared(endpoint.query, request.query)),
        body: upload ? request.body : parse(endpoint.body, declared(endpoint.body, request.body)),
        user: session?.user ?? (null as never),
        by: session ? { user: session.user, ip: request.ip, session } : (null as never),
        ip: request.ip,
        request,
        reply,
      };
      // A list without pages, such as the calendar's runs, copies no people, and a screen needs all of it.
      const pageSize = pageSizeOf(call.query) ?? (upload ? undefined : pageSizeOf(call.body)) ?? 0;
      const counted = endpoint.answer === "list" && pageSize > 0 && !endpoint.export && session?.user;
      if (counted) binding.reads.reserve(counted.id, pageSize);
      if (session && endpoint.method !== "GET") binding.writes.reserve(session.user.id, 1);
      const result = await run(call).catch((error: unknown) => {
        if (counted) binding.reads.settle(counted.id, -pageSize);
        throw error;
      });
      // What was refused has not left. Of a file that is made as it is read, nothing has been made yet.
      if (endpoint.export) {
        const { id } = (call.params ?? {}) as { id?: number };
        await recordExport(binding.db, request, { ...endpoint.export, user: call.user, id });
      }
      const check = (part: unknown) => binding.checkReplies && checkReply(endpoint, part);
      switch (endpoint.answer) {
        case "events":
          return reply;
        case "file":
          return sendFile(reply, result as File);
        case "list": {
          const list = result as Page<unknown> | LongList<unknown>;
          if (counted && "rows" in list) binding.reads.settle(counted.id, list.rows.length - pageSize);
          void reply.status(endpoint.status);
          return sendList(call, list, check);
        }
        case "json":
          noStore(reply);
          check(result);
          return reply.status(endpoint.status).send(result);
      }
    },
  });
}

/** How many rows a call asks for. */
const pageSizeOf = (input: unknown) => (input as { pageSize?: number } | undefined)?.pageSize;

/** What one person reads must not stay in a cache for the next one at the same computer. */
function noStore(reply: FastifyReply): void {
  void reply.header("Cache-Control", "no-store");
}

/** Ignores input that the endpoint does not declare. */
function declared(schema: Endpoint["body"], value: unknown): unknown {
  if (schema.type === "undefined") return undefined;
  return value ?? undefined;
}

/**
 * Throws if a reply differs from its contract or contains more: no one decided to publish a field that no contract
 * names.
 */
export function checkReply({ method, path, reply }: Endpoint, value: unknown): void {
  const result = reply.safeParse(value);
  const wrong = result.success ? surplus(value, result.data) : [result.error.message];
  if (wrong.length > 0) {
    throw new Error(`${method} ${path} sent a reply that breaks its contract: ${wrong.join(", ")}`);
  }
}

/** The paths that parsing removed; undefined values are never sent. */
function surplus(value: unknown, parsed: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null || typeof parsed !== "object" || parsed === null) return [];
  const kept = parsed as Record<string, unknown>;
  return Object.entries(value).flatMap(([key, part]) => {
    if (part === undefined) return [];
    return key in kept ? surplus(part, kept[key], `${path}${key}.`) : [`${path}${key}`];
  });
}
