import { isDeepStrictEqual } from "node:util";
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

/** What a change made different: each field as it was and as it is, `{ "email": ["a@x.org", "b@x.org"] }`. */
export function changesBetween<T extends object>(
  before: T,
  after: Partial<T>,
): Record<string, [unknown, unknown]> {
  const fields = Object.keys(after) as (keyof T & string)[];
  return Object.fromEntries(
    fields
      .filter((field) => !isDeepStrictEqual(before[field], after[field]))
      .map((field) => [field, [before[field], after[field]]]),
  );
}
