import { sql } from "kysely";
import { settingTable } from "#contract/calls/settings.ts";
import type { Db } from "#server/db/database.ts";
import { chosen, nameOf, wants } from "#server/audience/person.ts";
import { adapters } from "../transports/registry.ts";
import { answers, type Language } from "../transports/sms/opt-out-words.ts";

const titles = { help: "Answer to HELP", stop: "Answer to STOP" } as const;

type Asked = { kind: string; from: string; language: Language };

/**
 * Answers HELP if the account's provider leaves that to us: who is texting, and how to stop it. The scheduler starts the
 * answer like any message that is due. Limited to one a day per number, so that two machines can't text each other
 * forever, and to people on file who haven't turned texts off.
 */
export async function answerHelp(tx: Db, asked: Asked): Promise<void> {
  const { kind, language } = asked;
  // Providers know the English words alone.
  const leftToUs = adapters.find((one) => one.kind === kind)?.leavesHelp === true;
  if (language === "en" && !leftToUs) return;
  await answer(tx, "help", asked);
}

/**
 * Confirms that the number gets nothing more, in the language of the word that was texted. Providers confirm the English
 * words themselves. Only called when the opt-out is new, so it can't repeat.
 */
export async function confirmOptOut(tx: Db, asked: Asked): Promise<void> {
  if (asked.language !== "en") await answer(tx, "stop", asked);
}

async function answer(tx: Db, to: keyof typeof titles, { from, language }: Asked): Promise<void> {
  const title = titles[to];
  const setting = (key: "siteName" | "siteEmail") =>
    sql<string>`coalesce((SELECT value FROM settings WHERE key = ${key}), ${settingTable[key].default})`;
  const { rows } = await sql<{ siteName: string; siteEmail: string }>`
    SELECT ${setting("siteName")} AS "siteName", ${setting("siteEmail")} AS "siteEmail"`.execute(tx);
  const { siteName, siteEmail } = rows[0]!;
  const { [to]: text, contact } = answers[language];
  const withContact = to === "help" && siteEmail !== "";
  const content = [
    text,
    ...(withContact ? [contact] : []),
    // Carriers of the United States require it.
    ...(to === "help" && language === "en" ? ["Message and data rates may apply."] : []),
  ].join(" ");
  const values = { site_name: siteName, ...(withContact && { site_email: siteEmail }) };
  await sql`
    INSERT INTO notifications (kind, title, message_type, content, field_values, channels, audience, audience_text, class,
      status, scheduled_time, created_by_name, answers_opt_out)
    SELECT 'notice', ${title}, 'custom', ${content}, ${JSON.stringify(values)}::jsonb, '{sms}',
      jsonb_build_array(jsonb_build_object('type', 'user', 'id', u.id, 'name', ${nameOf("u")})),
      ${nameOf("u")}, 'transactional', 'Scheduled', now(), ${siteName}, ${to === "stop"}
    FROM users u
    WHERE trim(u.phone) = ${from} AND u.deleted_at IS NULL AND ${to === "stop" ? chosen.sms : wants.sms} AND NOT EXISTS (
      SELECT FROM notifications n JOIN users other ON n.audience -> 0 ->> 'id' = other.id::text
      WHERE n.kind = 'notice' AND n.title = ${title} AND n.created_at > now() - interval '1 day'
        AND trim(other.phone) = ${from})
    ORDER BY u.id LIMIT 1`.execute(tx);
}
