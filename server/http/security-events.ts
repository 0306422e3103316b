import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { AuditAction } from "#contract/audit-actions.ts";
import { AppError, type ErrorCode } from "#contract/errors.ts";
import {
  type AuditEntry,
  countAudited,
  currentUserAgent,
  recordAudit,
  recordAuditOnce,
} from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { SessionUser } from "#server/http/route.ts";

/** Sign-ins, refusals, exports and the like, in the audit and in the log, which monitoring systems read. */

type SecurityEvent = Omit<AuditEntry, "ip">;

export async function recordSecurityEvent(
  db: Db,
  request: FastifyRequest,
  event: SecurityEvent,
): Promise<void> {
  toLog(request, event);
  await recordAudit(db, { ...event, ip: request.ip });
}

function toLog(request: FastifyRequest, { actor, action, subject, detail }: SecurityEvent): void {
  const who = { userId: actor?.id ?? null, ip: request.ip };
  request.log.info({ security: action, ...who, subject, ...detail }, "security event");
}

/** Refusals that say something about the caller, and not only about what was typed. */
const telling: readonly ErrorCode[] = [
  "cross-site",
  "forbidden",
  "registration-closed",
  "setup-code",
  "too-many-requests",
];

/** Records a refusal if it is worth it. Never throws: the caller gets the refusal itself. */
export async function recordRefusal(
  db: Db,
  request: FastifyRequest,
  { actor, error }: { actor: SessionUser | null; error: unknown },
): Promise<void> {
  if (!(error instanceof AppError) || !telling.includes(error.code)) return;
  const detail = { code: error.code, call: `${request.method} ${request.routeOptions.url}` };
  const event = { actor, action: "call.refuse" as const, subject: { type: "call" }, detail };
  toLog(request, event);
  // A request may be refused before it reaches the hook that names its browser to the audit.
  await currentUserAgent
    .run(request.headers["user-agent"], () => recordAuditOnce(db, { ...event, ip: request.ip }))
    .catch((err: unknown) => request.log.error({ err }, "a refusal could not be recorded"));
}

const MINUTES = 10;

/**
 * Records data that leaves the system, and refuses if one person exports too much. A person's exports take turns here,
 * or several at once would each see room that only one of them has. Throws too-many-requests.
 */
export async function recordExport(
  db: Db,
  request: FastifyRequest,
  {
    actor,
    action,
    most,
    id,
  }: { actor: SessionUser; action: AuditAction; most: number; id: number | undefined },
): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`SELECT FROM users WHERE id = ${actor.id} FOR NO KEY UPDATE`.execute(tx);
    if ((await countAudited(tx, actor.id, action, MINUTES)) >= most) {
      const sentence = `You can do this ${most} times in ${MINUTES} minutes. Try again in a few minutes.`;
      throw new AppError("too-many-requests", sentence, { retryAfter: 60 * MINUTES });
    }
    const [type = ""] = action.split(".");
    await recordSecurityEvent(tx, request, { actor, action, subject: { type, id } });
  });
}
