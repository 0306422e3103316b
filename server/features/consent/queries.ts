import { sql } from "kysely";
import { type Channel, channelMeaning, channels } from "#contract/delivery.ts";
import { type ConsentChange, preferenceField, type Preferences } from "#contract/users.ts";
import { channelSet, nameOf, wants } from "#server/audience/person.ts";
import { type Actor, recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";

export type LinkOwner = { id: number; firstName: string; allowed: Record<Channel, boolean> };

// The format the database generates. Anything else in the URL may not even be valid text for a query.
const TOKEN = /^[0-9a-f]{40}$/;

/** The person whose preferences this token opens, or null. */
export async function findByToken(db: Db, token: string): Promise<LinkOwner | null> {
  if (!TOKEN.test(token)) return null;
  const allowed = channels.map((channel) => sql`${sql.lit(channel)}, ${wants[channel]}`);
  const { rows } = await sql<LinkOwner>`
    SELECT u.id, u.first_name AS "firstName", jsonb_build_object(${sql.join(allowed)}) AS allowed
    FROM users u WHERE u.preferences_token = ${token} AND u.deleted_at IS NULL`.execute(db);
  return rows[0] ?? null;
}

type Change = {
  userId: number;
  channel: Channel;
  allowed: boolean;
  source: ConsentSource;
  /** Null if an email link did it, which does not tell who followed it. */
  actorId: number | null;
  ip: string;
};

/** Changes one channel of one person and records it. Repeating the current choice records nothing. */
export async function changeConsent(db: Db, { channel, allowed, ...by }: Change): Promise<void> {
  await changeConsents(db, { [preferenceField[channel]]: allowed }, by);
}

/** Whether that changed anything. */
async function write(db: Db, { userId, channel, allowed, source, actorId, ip }: Change): Promise<boolean> {
  const bit = channelSet([channel]);
  const { rows } = await sql`
    WITH changed AS (
      UPDATE users u SET channels = u.channels # ${bit}, updated_at = now()
      WHERE u.id = ${userId} AND ${wants[channel]} <> ${allowed} RETURNING u.id
    )
    INSERT INTO consents (user_id, channel, allowed, source, actor_id, ip)
    SELECT id, ${channel}, ${allowed}, ${source}, ${actorId}, ${ip} FROM changed RETURNING id`.execute(db);
  return rows.length > 0;
}

/** Changes the channels for which a form has a new value; a channel that is left out stays as it is. */
export async function changeConsents(
  db: Db,
  wishes: { [Field in keyof Preferences]?: boolean | undefined },
  by: Omit<Change, "channel" | "allowed">,
): Promise<void> {
  await transaction(db, async (tx) => {
    const changes: Record<string, [boolean, boolean]> = {};
    for (const channel of channels) {
      const allowed = wishes[preferenceField[channel]];
      if (allowed === undefined || !(await write(tx, { ...by, channel, allowed }))) continue;
      changes[channelMeaning[channel].label] = [!allowed, allowed];
    }
    if (Object.keys(changes).length === 0) return;
    await recordAudit(tx, {
      by: { user: by.actorId === null ? null : await readActor(tx, by.actorId), ip: by.ip },
      action: "consent.change",
      subject: { type: "user", id: by.userId },
      detail: { source: by.source, changes },
    });
  });
}

async function readActor(tx: Db, id: number): Promise<Actor> {
  const { rows } = await sql<Actor>`
    SELECT id, first_name AS "firstName", last_name AS "lastName" FROM users WHERE id = ${id}`.execute(tx);
  return rows[0]!;
}

const SHOWN = 100;

/** Each change of a person's preferences and where it came from, newest first. */
export async function consentsOf(db: Db, userId: number): Promise<ConsentChange[]> {
  const found = await sql<{
    channel: Channel;
    allowed: boolean;
    source: string;
    at: Date;
    own: boolean;
    actor: string | null;
  }>`
    SELECT c.channel, c.allowed, c.source, c.at, c.actor_id IS NOT DISTINCT FROM c.user_id AS own,
      ${nameOf("a")} AS actor
    FROM consents c LEFT JOIN users a ON a.id = c.actor_id
    WHERE c.user_id = ${userId} ORDER BY c.at DESC, c.id DESC LIMIT ${SHOWN}`.execute(db);
  return found.rows.map(({ at, own, actor, ...change }) => ({
    ...change,
    sentence: sourceSentence(change.source, own ? null : actor),
    at: at.toISOString(),
  }));
}

/** Where a change of preference came from. */
const consentSources = [
  "console",
  "profile",
  "preferences-page",
  "one-click",
  "texted-stop",
  "texted-start",
] as const;
type ConsentSource = (typeof consentSources)[number];

const sentences: Record<ConsentSource, string> = {
  console: "In the console",
  profile: "In their own profile",
  "preferences-page": "On the preferences page linked in an email",
  "one-click": "One-click unsubscribe in an email",
  "texted-stop": "Texted STOP",
  "texted-start": "Texted START",
};

const isKnown = (source: string): source is ConsentSource =>
  (consentSources as readonly string[]).includes(source);

/** The source in words; `actor` is someone else who changed it for the person. */
function sourceSentence(source: string, actor: string | null): string {
  const sentence = isKnown(source) ? sentences[source] : source;
  return actor === null ? sentence : `${sentence}, by ${actor}`;
}
