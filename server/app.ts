import { randomBytes } from "node:crypto";
import { constants } from "node:zlib";
import fastifyCompress from "@fastify/compress";
import fastifyCookie from "@fastify/cookie";
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { endpoints } from "#contract/api.ts";
import { currentUserAgent } from "#server/db/audit.ts";
import type { Db } from "#server/db/database.ts";
import type { SecretBox } from "#server/db/secret-box.ts";
import { progressOf } from "#server/activity/progress.ts";
import type { Transports } from "#server/delivery/accounts/open-transports.ts";
import { withoutRepeats } from "#server/delivery/without-repeats.ts";
import { attachmentsRoutes } from "#server/features/attachments/routes.ts";
import { auditRoutes } from "#server/features/audit/routes.ts";
import { audienceRoutes } from "#server/features/audience/routes.ts";
import { authRoutes } from "#server/features/auth/routes.ts";
import { closedPreferenceLinks, preferenceLinks } from "#server/features/consent/links.ts";
import { consentPages } from "#server/features/consent/routes.ts";
import { tellOfGuesses } from "#server/features/credentials/account-notice.ts";
import { sendConfirmation } from "#server/features/credentials/confirmation.ts";
import { credentialsRoutes } from "#server/features/credentials/routes.ts";
import { csvRoutes } from "#server/features/csv/routes.ts";
import { importsRoutes } from "#server/features/imports/routes.ts";
import { valuesRoutes } from "#server/features/values/routes.ts";
import { dashboardRoutes } from "#server/features/dashboard/routes.ts";
import { detailsRoutes } from "#server/features/details/routes.ts";
import { deliveriesRoutes } from "#server/features/deliveries/routes.ts";
import { groupsRoutes } from "#server/features/groups/routes.ts";
import { notificationsRoutes } from "#server/features/notifications/routes.ts";
import { applyHomeCountry } from "#server/features/people/home-country.ts";
import { placesRoutes } from "#server/features/places/routes.ts";
import { profileRoutes } from "#server/features/profile/routes.ts";
import { calendarFeed } from "#server/features/schedules/calendar-feed.ts";
import { reportsRoutes } from "#server/features/reports/routes.ts";
import { sampleRoutes } from "#server/features/sample/routes.ts";
import { schedulesRoutes } from "#server/features/schedules/routes.ts";
import { appManifest } from "#server/features/settings/app-manifest.ts";
import { logoImages } from "#server/features/settings/logo.ts";
import { settingsRoutes } from "#server/features/settings/routes.ts";
import { integrationsRoutes } from "#server/features/integrations/routes.ts";
import { shellRoutes } from "#server/features/shell/routes.ts";
import { suppressionsRoutes } from "#server/features/suppressions/routes.ts";
import { templatesRoutes } from "#server/features/templates/routes.ts";
import { trackedMail } from "#server/features/tracking/routes.ts";
import { twoFactorRoutes } from "#server/features/two-factor/routes.ts";
import { usersRoutes } from "#server/features/users/routes.ts";
import { webhooks } from "#server/features/webhooks/routes.ts";
import { answerBrokenRequest } from "#server/http/broken-request.ts";
import { bind } from "#server/http/bind.ts";
import { replyWithError } from "#server/http/error-reply.ts";
import { eventHub } from "#server/http/events.ts";
import { warnOfUntrustedProxy } from "#server/http/forwarded.ts";
import { healthRoutes } from "#server/http/health.ts";
import { acceptBytes, acceptJson, refuseOtherMethods } from "#server/http/accept.ts";
import { readBudget, writeBudget } from "#server/http/budget.ts";
import { countsInTurn } from "#server/http/in-turn.ts";
import type { Route } from "#server/http/route.ts";
import { securityHeaders } from "#server/http/security-headers.ts";
import type { Visitor } from "#server/http/page.ts";
import { cookiesOf, principalOfSession } from "#server/http/session.ts";
import { notFound, serveWeb } from "#server/http/static.ts";
import { emit } from "#server/telemetry/signals.ts";

type AppDeps = {
  db: Db;
  /** A pool of its own for /readyz; `db` if there is none. */
  health?: Db;
  /** postgres://… for the LISTEN connection to the same database. */
  listenUrl: string;
  /** Address used for links; https makes the cookie Secure. */
  publicUrl: URL;
  /** Number of reverse proxies whose client address is trusted; false for none. */
  trustProxy: number | false;
  /** Folder of the built web app; null serves the API alone. */
  webRoot: string | null;
  log: FastifyBaseLogger | false;
  /** Also parse replies by the contract. */
  checkReplies: boolean;
  /** This process's accounts, for checking a provider. */
  transports: Transports;
  /** Encrypts what an account must keep to itself. */
  secrets: SecretBox;
  /** How long a request may take to arrive, including its body. */
  requestTimeoutMs?: number;
  /** How many list rows one person may read within ten minutes. */
  mostRowsRead?: number;
  /** How many changes one person may make within a minute. */
  mostWrites?: number;
  /** How often an open event stream is checked for permission to continue. */
  heartbeatMs?: number;
  now?: () => Date;
};

/** The largest file arrives in this time at 0.7 Mbit/s; a body that drips for longer only holds a connection. */
const REQUEST_TIMEOUT_MS = 120_000;

/** Builds the web role: every route in one place. It does not listen; `main.ts` does. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { db, publicUrl, requestTimeoutMs = REQUEST_TIMEOUT_MS, now = () => new Date() } = deps;
  const app = fastify({
    ...(deps.log ? { loggerInstance: deps.log } : { logger: false }),
    trustProxy: (_address, hop) => deps.trustProxy !== false && hop < deps.trustProxy,
    requestTimeout: requestTimeoutMs,
    // Repeated here because only then does Node apply its own time limit to the headers.
    http: { requestTimeout: requestTimeoutMs, connectionsCheckingInterval: requestTimeoutMs / 8 },
    // A line per request would bury the lines that matter. Failures are logged where they become replies.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    // People quote it, so it must be unique among all processes and restarts.
    genReqId: () => randomBytes(6).toString("hex"),
    forceCloseConnections: "idle",
    // A request that arrives on an open connection while the server stops is answered like any other.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    clientErrorHandler: answerBrokenRequest,
    // For a URL that can't be decoded, no route is looked for.
    frameworkErrors: (error, request, reply) => void replyWithError(error, request, reply),
  });
  app.setErrorHandler((error, request, reply) => replyWithError(error, request, reply));
  if (deps.trustProxy === false) warnOfUntrustedProxy(app);
  acceptJson(app);
  app.addHook("onResponse", (request, reply, done) => {
    tellOfRequest(request, reply);
    done();
  });
  app.addHook("preHandler", (request, _reply, done) =>
    currentUserAgent.run(request.headers["user-agent"], done),
  );
  await securityHeaders(app, publicUrl);
  await app.register(fastifyCookie);
  // The build compresses pages and scripts. No reply here combines a secret with a caller's input, which compression
  // could leak.
  await app.register(fastifyCompress, {
    threshold: 1024,
    encodings: ["br", "gzip"],
    customTypes: /^(application\/json|text\/(csv|calendar))/,
    // The default, 11, takes many times as long and saves little.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    // Rejects a body that exceeds the limit once decompressed.
    globalDecompression: false,
  });

  await applyHomeCountry(db);
  const cookies = cookiesOf(publicUrl);
  const events = eventHub({
    listenUrl: deps.listenUrl,
    progressOf: async (id) => (await progressOf(db, [id])).get(id) ?? null,
    onError: withoutRepeats("warn", (error, times) =>
      app.log.warn({ err: error, times }, "open pages may miss updates"),
    ),
    heartbeatMs: deps.heartbeatMs,
  });
  app.addHook("preClose", () => events.stop());

  const inTurn = countsInTurn();
  const routes: Route[] = [
    ...authRoutes({ db, cookies, front: deps, sendConfirmation, tellOfGuesses }),
    ...integrationsRoutes({
      db,
      transports: deps.transports,
      secrets: deps.secrets,
      publicUrl,
      linksFor: preferenceLinks(publicUrl),
    }),
    ...shellRoutes({ db, cookie: cookies.session, events, trustProxy: deps.trustProxy }),
    ...dashboardRoutes({ db, now }),
    ...notificationsRoutes({ db, now }),
    ...reportsRoutes({ db, now }),
    ...deliveriesRoutes({ db, publicUrl }),
    ...audienceRoutes({
      db,
      transports: deps.transports,
      linksFor: closedPreferenceLinks(publicUrl),
      ownLinksFor: preferenceLinks(publicUrl),
      inTurn,
      now,
    }),
    ...attachmentsRoutes({ db }),
    ...templatesRoutes({ db }),
    ...schedulesRoutes({ db, publicUrl, inTurn, now }),
    ...usersRoutes({ db }),
    ...suppressionsRoutes({ db }),
    ...detailsRoutes({ db }),
    ...groupsRoutes({ db, inTurn }),
    ...placesRoutes({ db }),
    ...credentialsRoutes({ db, cookies }),
    ...twoFactorRoutes({ db, cookies, secrets: deps.secrets, publicUrl, now }),
    ...profileRoutes({
      db,
      cookies,
      linksFor: preferenceLinks(publicUrl),
      isBrowserEndpoint: (endpoint) => deps.transports.isBrowserEndpoint(endpoint),
    }),
    ...csvRoutes({ db }),
    ...importsRoutes({ db }),
    ...valuesRoutes({ db }),
    ...settingsRoutes({ db, publicUrl, now, onSaved: () => applyHomeCountry(db) }),
    ...auditRoutes({ db, now }),
    ...sampleRoutes({ db, now }),
  ];
  refuseGaps(routes);
  const binding = {
    db,
    cookies,
    reads: readBudget(deps.mostRowsRead),
    writes: writeBudget(deps.mostWrites),
    checkReplies: deps.checkReplies,
  };
  for (const route of routes.filter(({ endpoint }) => !endpoint.upload)) bind(app, route, binding);
  await app.register(async (uploads) => {
    acceptBytes(uploads);
    for (const route of routes.filter(({ endpoint }) => endpoint.upload)) bind(uploads, route, binding);
  });
  refuseOtherMethods(app, endpoints);
  await app.register(consentPages, { db });
  await app.register(webhooks, { db, transports: deps.transports, publicUrl });
  await app.register(trackedMail, { db });
  logoImages(app, db);
  appManifest(app, db);
  calendarFeed(app, { db, publicUrl, now });
  healthRoutes(app, deps.health ?? db);
  const visitorOf = async (request: FastifyRequest): Promise<Visitor> => {
    const token = cookies.session.read(request);
    if (token === undefined) return "signed-out";
    return (await principalOfSession(db, token).catch(() => null)) ?? "unknown";
  };
  if (deps.webRoot) await serveWeb(app, deps.webRoot, visitorOf);
  else app.setNotFoundHandler(notFound);
  return app;
}

/** By route, because a path may name a person. An event stream is no request that took long. */
function tellOfRequest(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.accept === "text/event-stream") return;
  const { method, routeOptions } = request;
  const route = routeOptions.url ?? "none";
  emit("request", { method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
}

/** Every endpoint of the contract must be mounted exactly once. A forgotten one fails at startup, not for a user. */
function refuseGaps(routes: readonly Route[]): void {
  const mounted = new Set(routes.map((route) => route.endpoint));
  const missing = endpoints.filter((endpoint) => !mounted.has(endpoint));
  if (missing.length > 0 || mounted.size !== routes.length) {
    throw new Error(`not mounted exactly once: ${missing.map((e) => `${e.method} ${e.path}`).join(", ")}`);
  }
}
