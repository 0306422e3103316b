import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { AuditAction } from "#contract/calls/audit-actions.ts";
import { AppError, type ErrorCode } from "#contract/errors.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import {
  type Actor,
  type AuditEntry,
  countAudited,
  currentUserAgent,
  recordAudit,
  recordAuditOnce,
} from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { SessionUser } from "#server/http/route.ts";

/** Sign-ins, refusals, exports and the like, in the audit and in the log, which monitoring systems read. */

type SecurityEvent = Omit<AuditEntry, "by"> & { user: Actor | null };

export async function recordSecurityEvent(
  db: Db,
  request: FastifyRequest,
  { user, ...event }: SecurityEvent,
): Promise<void> {
  toLog(request, { user, ...event });
  await recordAudit(db, { ...event, by: { user, ip: request.ip } });
}

function toLog(request: FastifyRequest, { user, action, subject, detail }: SecurityEvent): void {
  const who = { userId: user?.id ?? null, ip: request.ip };
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
  { user, error }: { user: SessionUser | null; error: unknown },
): Promise<void> {
  if (!(error instanceof AppError) || !telling.includes(error.code)) return;
  const detail = { code: error.code, call: `${request.method} ${request.routeOptions.url}` };
  const event = { action: "call.refuse" as const, subject: { type: "call" }, detail };
  toLog(request, { user, ...event });
  // A request may be refused before it reaches the hook that names its browser to the audit.
  await currentUserAgent
    .run(request.headers["user-agent"], () => recordAuditOnce(db, { ...event, by: { user, ip: request.ip } }))
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
    user,
    action,
    most,
    id,
  }: { user: SessionUser; action: AuditAction; most: number; id: number | undefined },
): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`SELECT FROM users WHERE id = ${user.id} FOR NO KEY UPDATE`.execute(tx);
    if ((await countAudited(tx, user.id, action, MINUTES)) >= most) {
      throw refusal("too-many-exports", { most, minutes: MINUTES }, { retryAfter: 60 * MINUTES });
    }
    const [type = ""] = action.split(".");
    await recordSecurityEvent(tx, request, { user, action, subject: { type, id } });
  });
}
