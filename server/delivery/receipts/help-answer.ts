import { sql } from "kysely";
import { settingTable } from "#contract/settings.ts";
import type { Db } from "#server/db/database.ts";
import { nameOf, wants } from "#server/audience/person.ts";
import { adapters } from "../transports/registry.ts";

const TITLE = "Answer to HELP";

/**
 * Answers HELP if the account's provider leaves that to us: who is texting, and how to stop it. The scheduler starts the
 * answer like any message that is due. Limited to one a day per number, so that two machines can't text each other
 * forever, and to people on file who haven't turned texts off.
 */
export async function answerHelp(tx: Db, { kind, from }: { kind: string; from: string }): Promise<void> {
  if (adapters.find((one) => one.kind === kind)?.leavesHelp !== true) return;
  const setting = (key: "siteName" | "siteEmail") =>
    sql<string>`coalesce((SELECT value FROM settings WHERE key = ${key}), ${settingTable[key].default})`;
  const { rows } = await sql<{ siteName: string; siteEmail: string }>`
    SELECT ${setting("siteName")} AS "siteName", ${setting("siteEmail")} AS "siteEmail"`.execute(tx);
  const { siteName, siteEmail } = rows[0]!;
  const content = [
    "{{site_name}}: You get texts about your home from us.",
    "Reply STOP to turn them off, START to turn them on again.",
    ...(siteEmail === "" ? [] : ["Questions? Write to {{site_email}}."]),
    "Message and data rates may apply.",
  ].join(" ");
  const values = { site_name: siteName, ...(siteEmail !== "" && { site_email: siteEmail }) };
  await sql`
    INSERT INTO notifications (kind, title, message_type, content, field_values, channels, audience, audience_text, class,
      status, scheduled_time, created_by_name)
    SELECT 'notice', ${TITLE}, 'custom', ${content}, ${JSON.stringify(values)}::jsonb, '{sms}',
      jsonb_build_array(jsonb_build_object('type', 'user', 'id', u.id, 'name', ${nameOf("u")})),
      ${nameOf("u")}, 'transactional', 'Scheduled', now(), ${siteName}
    FROM users u
    WHERE trim(u.phone) = ${from} AND u.deleted_at IS NULL AND ${wants.sms} AND NOT EXISTS (
      SELECT FROM notifications n JOIN users other ON n.audience -> 0 ->> 'id' = other.id::text
      WHERE n.kind = 'notice' AND n.title = ${TITLE} AND n.created_at > now() - interval '1 day'
        AND trim(other.phone) = ${from})
    ORDER BY u.id LIMIT 1`.execute(tx);
}
