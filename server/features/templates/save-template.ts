import { sql } from "kysely";
import type { MessageClass } from "#contract/delivery.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { templates } from "#contract/calls/templates.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { fieldsAt } from "#server/messages/fields.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
import { refuseStale } from "#server/db/stale-edit.ts";
import { noSuchTemplate, readTemplate } from "#server/features/templates/queries.ts";
import type { By } from "#server/http/route.ts";

type Body = BodyOf<typeof templates.create>;

/** Creates a template and returns its id. Throws invalid-input if the text's braces hold no field. */
export async function createTemplate(db: Db, body: Body, by: By): Promise<number> {
  const written = checked({ class: "general", ...body });
  return transaction(db, async (tx) => {
    const { id } = await tx
      .insertInto("templates")
      .values({ ...written, created_by: by.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await keepVersion(tx, id, by);
    await notifyPages(tx, { type: "templates" });
    await recordAudit(tx, {
      by,
      action: "template.create",
      subject: { type: "template", id },
      detail: { name: written.name },
    });
    return id;
  });
}

/**
 * Saves a new version. Throws not-found, conflict (someone else changed it), and invalid-input like `createTemplate`.
 */
export async function updateTemplate(
  db: Db,
  id: number,
  { updatedAt, ...body }: BodyOf<typeof templates.update>,
  by: By,
): Promise<void> {
  await transaction(db, async (tx) => {
    const stored = await lockTemplate(tx, id);
    refuseStale(updatedAt, stored.updated_at, "template");
    const written = checked({
      ...body,
      class: body.class ?? stored.class,
      subject: body.subject ?? stored.subject,
      dynamicFields: body.dynamicFields ?? stored.added_fields,
    });
    const changes = changesBetween(stored, written);
    if (Object.keys(changes).length === 0) return;
    await tx
      .updateTable("templates")
      .set({ ...written, version: stored.version + 1, updated_at: sql<Date>`now()` })
      .where("id", "=", id)
      .execute();
    await keepVersion(tx, id, by);
    await checkNextRuns(tx, sql`s.template_id = ${id}`);
    await notifyPages(tx, { type: "templates" });
    await recordAudit(tx, {
      by,
      action: "template.update",
      subject: { type: "template", id },
      detail: { name: written.name, changes },
    });
  });
}

/** Returns the copy's id. Throws not-found. */
export async function duplicateTemplate(db: Db, id: number, by: By): Promise<number> {
  const { name, type, subject, content, dynamicFields, class: urgency } = await readTemplate(db, id);
  const cut = name.slice(0, 93);
  // An unpaired surrogate would be left of an emoji that stands there.
  const kept = cut.isWellFormed() ? cut : cut.slice(0, -1);
  const copy = { name: `${kept} (copy)`, type, subject, content, dynamicFields, class: urgency };
  return createTemplate(db, copy, by);
}

/** Throws not-found, and conflict naming the schedules that still use it. */
export async function archiveTemplate(db: Db, id: number, archived: boolean, by: By): Promise<void> {
  await transaction(db, async (tx) => {
    const stored = await lockTemplate(tx, id);
    if ((stored.archived_at !== null) === archived) return;
    if (archived) {
      const { total, first } = (await readTemplate(tx, id)).schedules;
      if (total > 0) throw refusal("template-in-schedules", { names: first.map(({ name }) => name), total });
    }
    await tx
      .updateTable("templates")
      .set({ archived_at: archived ? sql<Date>`now()` : null, updated_at: sql<Date>`now()` })
      .where("id", "=", id)
      .execute();
    await checkNextRuns(tx, sql`s.template_id = ${id}`);
    await notifyPages(tx, { type: "templates" });
    await recordAudit(tx, {
      by,
      action: archived ? "template.archive" : "template.restore",
      subject: { type: "template", id },
      detail: { name: stored.name },
    });
  });
}

async function lockTemplate(tx: Db, id: number) {
  const stored = await tx
    .selectFrom("templates")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!stored) throw noSuchTemplate();
  return stored;
}

/** The columns that a person writes. Only an email has a subject; fields used in the text need no separate list. */
function checked(body: Body & { class: MessageClass }) {
  const { name, type, subject, content, class: urgency, dynamicFields = [] } = body;
  const written = {
    name,
    type,
    class: urgency,
    subject: type === "Email" ? (subject ?? "") : "",
    content,
  };
  const used = [...fieldsAt("subject", written.subject), ...fieldsAt("content", content)];
  return {
    ...written,
    added_fields: [...new Set(dynamicFields)].filter((field) => !used.includes(field)),
  };
}

async function keepVersion(tx: Db, id: number, { user }: By): Promise<void> {
  await sql`
    INSERT INTO template_versions (template_id, version, name, type, subject, content, added_fields, saved_by)
    SELECT id, version, name, type, subject, content, added_fields, ${user.id} FROM templates WHERE id = ${id}`.execute(
    tx,
  );
}
