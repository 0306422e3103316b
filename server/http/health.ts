import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** Less than what asks is willing to wait: Kubernetes is given five seconds in deploy/kubernetes. */
export const READY_MS = 3000;

/**
 * `/healthz`: this process is alive. `/readyz`: it can do its work, which needs the database. `db`: a pool of its
 * own, so that a busy process is not taken for one that lost its database. `isStarted`: until then, it is not ready.
 */
export function healthRoutes(app: FastifyInstance, db: Db, isStarted = () => true): void {
  app.get("/healthz", async (_request, reply) =>
    reply.header("Cache-Control", "no-store").send({ status: "ok" }),
  );
  app.get("/readyz", async (_request, reply) => {
    void reply.header("Cache-Control", "no-store");
    if (!isStarted())
      return reply.status(503).send({ status: "not ready", reason: "Porchlight is starting" });
    try {
      const late = sleep(READY_MS, undefined, { ref: false }).then(() => Promise.reject(new Error("late")));
      await Promise.race([sql`SELECT 1`.execute(db), late]);
      return reply.send({ status: "ready" });
    } catch {
      return reply.status(503).send({ status: "not ready", reason: "The database is not answering" });
    }
  });
}
