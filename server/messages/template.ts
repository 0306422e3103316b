import { fieldError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";

/** A template by its id or its slug. Throws with the field that named it. */
export async function findTemplate(db: Db, ref: string | number) {
  const asId = typeof ref === "number" || /^\d{1,15}$/.test(ref);
  const row = await db
    .selectFrom("templates")
    .select(["id", "name", "type", "subject", "content", "class", "version", "archived_at"])
    .where(asId ? "id" : "slug", "=", asId ? Number(ref) : ref)
    .executeTakeFirst();
  if (!row) {
    const sentence = "This template no longer exists. Choose another one.";
    throw fieldError("invalid-input", "templateId", sentence);
  }
  return row;
}

export type FoundTemplate = Awaited<ReturnType<typeof findTemplate>>;

/** An archived template is for no new message. */
export function refuseArchived({ archived_at }: FoundTemplate): void {
  if (archived_at === null) return;
  throw fieldError("invalid-input", "templateId", "This template is archived. Choose another one.");
}
