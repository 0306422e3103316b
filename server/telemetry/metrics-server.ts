import { createHash, timingSafeEqual } from "node:crypto";
import fastify, { type FastifyInstance } from "fastify";
import type { Db } from "#server/db/database.ts";
import { isLoopback } from "#server/delivery/transports/loopback.ts";
import { healthRoutes } from "#server/http/health.ts";
import { openMetrics } from "./metrics.ts";

type MetricsServerOptions = {
  /** A pool of its own. */
  db: Db;
  /** Another one, so that a slow answer to /metrics doesn't hold up /readyz. */
  health: Db;
  /** This process's other pools, by role. */
  pools: Readonly<Record<string, Db>>;
  /** False while the process starts, which a migration may make long. */
  isStarted?: () => boolean;
  /** What a caller of /metrics has to present; undefined: only this machine may call. */
  token: string | undefined;
};

/** What operators ask of any process, whatever its role: /metrics, /healthz and /readyz. It does not listen. */
export function createMetricsServer({
  db,
  health,
  pools,
  isStarted,
  token,
}: MetricsServerOptions): FastifyInstance {
  const metrics = openMetrics(db, pools);
  const app = fastify({ logger: false, forceCloseConnections: true });
  healthRoutes(app, health, isStarted);
  app.get("/metrics", async (request, reply) => {
    if (
      token === undefined ? !isLoopback(request.ip) : !same(request.headers.authorization, `Bearer ${token}`)
    ) {
      const sentence =
        token === undefined
          ? "Set METRICS_TOKEN to read this from another computer."
          : "The token is missing or wrong.";
      return reply.status(401).header("WWW-Authenticate", "Bearer").send(`${sentence}\n`);
    }
    return reply.type(metrics.contentType).send(await metrics.read());
  });
  return app;
}

/** Takes the same time wherever they differ. */
function same(given = "", expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(a!, b!);
}
