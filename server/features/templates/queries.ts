import { fieldError } from "#contract/errors.ts";
import type { Template } from "#contract/templates.ts";
import type { Db } from "#server/db/database.ts";
import { askedFields } from "#contract/message-fields.ts";
import { fieldsOf } from "#contract/message-fields.ts";
import { creatorName } from "#server/features/people/columns.ts";

export async function listTemplates(db: Db): Promise<Template[]> {
  const rows = await db
    .selectFrom("templates")
    .leftJoin("users as c", (join) =>
      join.onRef("c.id", "=", "templates.created_by").on("c.deleted_at", "is", null),
    )
    .select(["templates.id", "slug", "name", "type", "subject", "content", "last_used_at"])
    .select(creatorName.as("createdBy"))
    .orderBy("templates.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    type: row.type,
    subject: row.subject,
    content: row.content,
    dynamicFields: fieldsOf(row.subject, row.content),
    askedFields: askedFields(row.subject, row.content),
    lastUsed: row.last_used_at?.toISOString() ?? null,
    createdBy: row.createdBy,
  }));
}

/** A template by its id or its slug; throws with the field that named it. */
export async function findTemplate(db: Db, ref: string | number) {
  const asId = typeof ref === "number" || /^\d{1,15}$/.test(ref);
  const row = await db
    .selectFrom("templates")
    .select(["id", "name", "subject", "content", "class"])
    .where(asId ? "id" : "slug", "=", asId ? Number(ref) : ref)
    .executeTakeFirst();
  if (!row) {
    const sentence = "This template does not exist any more. Choose another one.";
    throw fieldError("invalid-input", "templateId", sentence);
  }
  return row;
}

export type FoundTemplate = Awaited<ReturnType<typeof findTemplate>>;
