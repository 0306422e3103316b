import { sql } from "kysely";
import type { BodyOf } from "#contract/endpoint.ts";
import type { details } from "#contract/calls/details.ts";
import { isTakenHeader } from "#contract/text/csv-header.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { detailField, isReservedField } from "#contract/text/person-details.ts";
import { type Detail, DETAILS_MAX } from "#contract/text/kept-details.ts";
import { isAskedField } from "#contract/text/message-fields.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { type Db, isUniqueViolation, transaction } from "#server/db/database.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { usesOfDetail } from "#server/features/details/uses.ts";
import type { By } from "#server/http/route.ts";

/** Throws invalid-input and conflict: a name that no message could write, or that is taken. */
export async function createDetail(
  db: Db,
  { label, kind }: BodyOf<typeof details.create>,
  by: By,
): Promise<Detail> {
  const field = detailField(label);
  if (field === null) throw refusal("detail-unreadable");
  if (isTakenHeader(label)) throw refusal("detail-known-column", { label });
  if (isReservedField(field) || !isAskedField(field, new Set())) throw refusal("detail-reserved", { field });
  return transaction(db, async (tx) => {
    // One at a time, so that two can't both be the last.
    await sql`LOCK TABLE details IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
    const { count } = await tx
      .selectFrom("details")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= DETAILS_MAX) throw refusal("too-many-details", { most: DETAILS_MAX });
    const made = await sql<Detail>`
      INSERT INTO details (label, field, kind) VALUES (${label}, ${field}, ${kind}) ON CONFLICT DO NOTHING
      RETURNING id, label, field, kind`.execute(tx);
    const [detail] = made.rows;
    if (!detail) throw refusal("detail-name-taken", { label });
    await recordAudit(tx, {
      by,
      action: "detail.create",
      subject: { type: "detail", id: detail.id },
      detail: { name: label, kind, field },
    });
    await notifyPages(tx, { type: "settings" });
    return detail;
  });
}

/** Its field stays: templates and planned messages are written with it. Throws not-found and conflict. */
export async function renameDetail(db: Db, id: number, label: string, by: By): Promise<Detail> {
  return transaction(db, async (tx) => {
    if (isTakenHeader(label)) throw refusal("detail-known-column", { label });
    const before = await lockDetail(tx, id);
    // A file's column of that name would be meant for the other one.
    const other = await tx
      .selectFrom("details")
      .select("id")
      .where("field", "=", detailField(label) ?? "")
      .where("id", "!=", id)
      .executeTakeFirst();
    if (other) throw refusal("detail-name-taken", { label });
    try {
      await sql`UPDATE details SET label = ${label}, updated_at = now() WHERE id = ${id}`.execute(tx);
    } catch (error) {
      throw isUniqueViolation(error) ? refusal("detail-name-taken", { label }) : error;
    }
    const after = { ...before, label };
    await recordAudit(tx, {
      by,
      action: "detail.update",
      subject: { type: "detail", id },
      detail: { name: label, changes: changesBetween({ name: before.label }, { name: label }) },
    });
    await notifyPages(tx, { type: "settings" });
    return after;
  });
}

/** Deletes a detail and everyone's value of it, and returns its label. Throws not-found, and conflict if it is in use. */
export async function removeDetail(db: Db, id: number, by: By): Promise<string> {
  return transaction(db, async (tx) => {
    const detail = await lockDetail(tx, id);
    const uses = await usesOfDetail(tx, detail);
    if (uses.length > 0) throw refusal("detail-in-use", { label: detail.label, uses });
    await sql`DELETE FROM details WHERE id = ${id}`.execute(tx);
    const { numAffectedRows } = await sql`
      UPDATE users SET details = details - ${String(id)}::text WHERE details ? ${String(id)}::text`.execute(
      tx,
    );
    await recordAudit(tx, {
      by,
      action: "detail.delete",
      subject: { type: "detail", id },
      detail: { name: detail.label, people: Number(numAffectedRows ?? 0) },
    });
    await notifyPages(tx, { type: "settings" });
    return detail.label;
  });
}

async function lockDetail(tx: Db, id: number): Promise<Detail> {
  const { rows } = await sql<Detail>`
    SELECT id, label, field, kind FROM details WHERE id = ${id} FOR UPDATE`.execute(tx);
  const [detail] = rows;
  if (!detail) throw refusal("no-such-detail");
  return detail;
}
