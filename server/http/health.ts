import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** `/healthz`: this process is alive. `/readyz`: it can do its work, which needs the database. */
export function healthRoutes(app: FastifyInstance, db: Db): void {
  app.get("/healthz", async (_request, reply) =>
    reply.header("Cache-Control", "no-store").send({ status: "ok" }),
  );
  app.get("/readyz", async (_request, reply) => {
    void reply.header("Cache-Control", "no-store");
    try {
      await sql`SELECT 1`.execute(db);
      return reply.send({ status: "ready" });
    } catch {
      return reply.status(503).send({ status: "not ready", reason: "The database is not answering" });
    }
  });
}
