import { sql } from "kysely";
import type { AuditAction } from "#contract/calls/audit-actions.ts";
import { nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import type { StaffMember } from "#server/features/sample/sample-records.ts";

/** What someone of the sample's staff did, for the audit log. `by` null: a link in an email. */
export type AuditLine = {
  at: Date;
  by: StaffMember | null;
  action: AuditAction;
  type: "user" | "group" | "template" | "schedule" | "notification";
  id: number;
  detail?: Record<string, unknown>;
};

export async function writeAudit(tx: Db, lines: readonly AuditLine[]): Promise<void> {
  const rows = lines.map(({ by, detail = {}, ...line }) => ({
    ...line,
    actor_id: by?.id ?? null,
    actor_name: by?.name ?? "",
    detail,
  }));
  await sql`
    WITH written AS (
      INSERT INTO audit (at, actor_id, actor_name, action, subject_type, subject_id, detail)
      SELECT at, actor_id, actor_name, action, type, id, detail
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t (at timestamptz, actor_id bigint, actor_name text,
        action text, type text, id bigint, detail jsonb)
      ORDER BY at RETURNING id
    )
    INSERT INTO sample_rows (kind, id) SELECT 'audit', id FROM written`.execute(tx);
}

/** Of what was made and changed outright: groups, templates, and channels that people turned off. */
export async function auditOfRows(tx: Db, [manager]: readonly StaffMember[]): Promise<AuditLine[]> {
  const of = (kind: string) => sql`(SELECT id FROM sample_rows WHERE kind = ${kind})`;
  const { rows } = await sql<Omit<AuditLine, "by"> & { actor: number | null; name: string | null }>`
    SELECT m.at, m.action, m.type, m.id, m.detail, u.id AS actor, ${nameOf("u")} AS name FROM (
      SELECT created_at AS at, 'template.create' AS action, 'template' AS type, id, created_by AS by, '{}'::jsonb AS detail
      FROM templates WHERE id IN ${of("template")}
      UNION ALL
      SELECT archived_at, 'template.archive', 'template', id, created_by, '{}'
      FROM templates WHERE id IN ${of("template")} AND archived_at IS NOT NULL
      UNION ALL
      SELECT created_at, 'schedule.create', 'schedule', id, created_by, '{}' FROM schedules WHERE id IN ${of("schedule")}
      UNION ALL
      SELECT created_at, 'group.create', 'group', id, created_by, jsonb_build_object('joined',
        ARRAY(SELECT user_id FROM group_members WHERE group_id = g.id))
      FROM user_groups g WHERE id IN ${of("group")} AND NOT built_in
      UNION ALL
      SELECT at, 'consent.change', 'user', user_id, NULL, jsonb_build_object('source', source, 'changes',
        jsonb_build_object(CASE channel WHEN 'email' THEN 'Email' ELSE 'SMS' END, '[true, false]'::jsonb))
      FROM consents WHERE user_id IN ${of("user")}
    ) m LEFT JOIN users u ON u.id = m.by`.execute(tx);
  return rows.map(({ actor, name, ...line }) => ({
    ...line,
    by: line.action === "consent.change" ? null : actor === null ? manager! : { id: actor, name: name ?? "" },
  }));
}
