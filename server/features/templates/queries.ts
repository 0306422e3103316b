import { type RawBuilder, sql } from "kysely";
import type { QueryOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { askedFields, type DetailFields, fieldsOf } from "#contract/text/message-fields.ts";
import type {
  Template,
  templates as endpoints,
  TemplateType,
  TemplateUse,
  TemplateVersion,
} from "#contract/calls/templates.ts";
import { detailFields } from "#server/audience/details.ts";
import type { Db } from "#server/db/database.ts";
import { withoutMarks } from "#server/delivery/content/formatting.ts";
import { containing, fit } from "#server/db/like.ts";
import { creatorName } from "#server/features/people/columns.ts";

type Row = {
  id: number;
  slug: string | null;
  name: string;
  type: TemplateType;
  class: Template["class"];
  subject: string;
  content: string;
  addedFields: string[];
  lastUsed: Date | null;
  schedules: Template["schedules"];
  createdBy: string;
  archived: boolean;
  version: number;
  updatedAt: Date;
};

const SCHEDULES_NAMED = 3;

const columns = sql`t.id, t.slug, t.name, t.type, t.class, t.subject, t.content, t.added_fields AS "addedFields",
  (SELECT max(coalesce(n.sent_time, n.created_at)) FROM notifications n
    WHERE n.template_id = t.id AND n.status <> 'Draft') AS "lastUsed",
  (SELECT jsonb_build_object('total', count(*),
      'first', coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) ORDER BY s.place)
        FILTER (WHERE s.place <= ${SCHEDULES_NAMED}), '[]'))
    FROM (SELECT id, name, row_number() OVER (ORDER BY coalesce(next_date_at, next_run_at) NULLS LAST, id) AS place FROM schedules
      WHERE template_id = t.id AND deleted_at IS NULL) s) AS schedules,
  t.archived_at IS NOT NULL AS archived, t.version, t.updated_at AS "updatedAt",
  ${creatorName} AS "createdBy"`;
const source = sql`templates t LEFT JOIN users c ON c.id = t.created_by AND c.deleted_at IS NULL`;

const orders = {
  used: sql`"lastUsed" DESC NULLS LAST, t.id`,
  name: sql`t.name_key, t.id`,
  choice: sql`t.class = 'emergency' DESC, "lastUsed" DESC NULLS LAST, t.name_key, t.id`,
};

/** One page of templates, and how many there are in total. */
export async function listTemplates(
  db: Db,
  { q, type, archived, sort, bestFirst, page, pageSize }: QueryOf<typeof endpoints.list>,
): Promise<{ rows: Template[]; total: number }> {
  const conditions: RawBuilder<unknown>[] = [sql`(t.archived_at IS NOT NULL) = ${archived}`];
  if (type) conditions.push(sql`t.type = ${type}`);
  if (q) conditions.push(sql`t.folded LIKE ${containing(q)}`);
  const where = sql.join(conditions, sql` AND `);
  const order = q && bestFirst ? sql`${fit(sql`t.name`, q)}, ${orders[sort]}` : orders[sort];
  const { rows } = await sql<Row>`
    SELECT ${columns} FROM ${source} WHERE ${where}
    ORDER BY ${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db);
  const counted = await sql<{ count: number }>`SELECT count(*) FROM templates t WHERE ${where}`.execute(db);
  return { rows: await asTemplates(db, rows), total: counted.rows[0]!.count };
}

/** Throws not-found. */
export async function readTemplate(db: Db, id: number): Promise<Template> {
  const { rows } = await sql<Row>`SELECT ${columns} FROM ${source} WHERE t.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw noSuchTemplate();
  return (await asTemplates(db, [row]))[0]!;
}

export const noSuchTemplate = () => refusal("no-such-template");

async function asTemplates(db: Db, rows: readonly Row[]): Promise<Template[]> {
  const details = await detailFields(db);
  return rows.map((row) => asTemplate(row, details));
}

function asTemplate({ addedFields, lastUsed, updatedAt, ...row }: Row, details: DetailFields): Template {
  const dynamicFields = allFields(row, addedFields);
  return {
    ...row,
    contentText: row.type === "Email" ? withoutMarks(row.content) : row.content,
    dynamicFields,
    askedFields: askedFields([row.subject, row.content], details),
    lastUsed: lastUsed?.toISOString() ?? null,
    updatedAt: updatedAt.toISOString(),
  };
}

function allFields(
  { subject, content }: Pick<Row, "subject" | "content">,
  added: readonly string[],
): string[] {
  return [...new Set([...fieldsOf(subject, content), ...added])];
}

/** Every saved version of a template, newest first. Throws not-found. */
export async function templateVersions(
  db: Db,
  id: number,
  { page, pageSize }: QueryOf<typeof endpoints.versions>,
): Promise<{ rows: TemplateVersion[]; total: number }> {
  const current = await readTemplate(db, id);
  type Version = Omit<TemplateVersion, "savedAt" | "dynamicFields" | "current"> & {
    savedAt: Date;
    addedFields: string[];
  };
  const { rows } = await sql<Version>`
    SELECT v.version, v.name, v.type, v.subject, v.content, v.added_fields AS "addedFields",
      v.saved_at AS "savedAt", ${creatorName} AS "savedBy"
    FROM template_versions v LEFT JOIN users c ON c.id = v.saved_by AND c.deleted_at IS NULL
    WHERE v.template_id = ${id}
    ORDER BY v.version DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db);
  return {
    rows: rows.map(({ savedAt, addedFields, ...version }) => ({
      ...version,
      dynamicFields: allFields(version, addedFields),
      savedAt: savedAt.toISOString(),
      current: version.version === current.version,
    })),
    total: current.version,
  };
}

/** What is planned with a template and has not gone out, soonest first. */
export async function templateUses(db: Db, id: number): Promise<TemplateUse[]> {
  const { rows } = await sql<Omit<TemplateUse, "nextRun"> & { nextRun: Date | null }>`
    SELECT 'notification' AS kind, n.id, n.title AS name, coalesce(n.scheduled_time, s.next_run_at) AS "nextRun"
    FROM notifications n
      LEFT JOIN schedules s ON s.notification_id = n.id AND s.own_notification AND s.deleted_at IS NULL
    WHERE n.template_id = ${id} AND n.status IN ('Scheduled', 'Recurring')
    UNION ALL
    SELECT 'schedule', s.id, s.name, coalesce(s.next_date_at, s.next_run_at) FROM schedules s
    WHERE s.template_id = ${id} AND s.deleted_at IS NULL
    ORDER BY "nextRun" NULLS LAST, id`.execute(db);
  return rows.map((row) => ({ ...row, nextRun: row.nextRun?.toISOString() ?? null }));
}
