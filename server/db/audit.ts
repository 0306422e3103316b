import type { Db } from "#server/db/database.ts";

export type AuditEntry = {
  /** Null where no account did it: a link in a mail, the scheduler. */
  actor: { id: number; firstName: string; lastName: string } | null;
  ip: string | null;
  /** noun.verb: "notification.send". */
  action: string;
  subject: { type: string; id?: number };
  detail?: Record<string, unknown>;
};

/** Writes who did what, in the transaction of the deed itself. */
export async function recordAudit(db: Db, { actor, ip, action, subject, detail }: AuditEntry): Promise<void> {
  await db
    .insertInto("audit")
    .values({
      actor_id: actor?.id ?? null,
      actor_name: actor ? `${actor.firstName} ${actor.lastName}` : "",
      action,
      subject_type: subject.type,
      subject_id: subject.id ?? null,
      detail: JSON.stringify(detail ?? {}),
      ip,
    })
    .execute();
}
