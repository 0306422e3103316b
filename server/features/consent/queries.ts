import { sql } from "kysely";
import { addressKind, type Channel, channelMeaning, channels } from "#contract/delivery.ts";
import { type ConsentChange, preferenceField, type Preferences } from "#contract/calls/users.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import {
  consentSources,
  type ConsentSource,
  liftOptOut,
  optOut,
  type OptOutSource,
  recipientSources,
} from "#server/audience/opt-outs.ts";
import {
  address as addressOn,
  addressOptedOut,
  channelSet,
  chosen,
  holdsOn,
  nameOf,
  unconfirmed,
  wants,
} from "#server/audience/person.ts";
import { type Actor, recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";

export type LinkOwner = { id: number; firstName: string; allowed: Record<Channel, boolean> };

// The format the database generates. Anything else in the URL may not even be valid text for a query.
export const LINK_TOKEN = /^[0-9a-f]{40}$/;

/** The person whose preferences this token opens, or null. */
export async function findByToken(db: Db, token: string): Promise<LinkOwner | null> {
  if (!LINK_TOKEN.test(token)) return null;
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
  /** Of staff who turn on what the recipient turned off: who asked for it, how and when. */
  request?: string | undefined;
};

/** Changes one channel of one person and records it. Repeating the current choice records nothing. */
export async function changeConsent(db: Db, { channel, allowed, ...by }: Change): Promise<void> {
  await changeConsents(db, { [preferenceField[channel]]: allowed }, by);
}

type State = {
  wanted: boolean;
  chosen: boolean;
  address: string | null;
  optedOut: boolean;
  offBy: string | null;
};

async function stateOf(tx: Db, userId: number, channel: Channel): Promise<State> {
  const { rows } = await sql<State>`
    SELECT ${wants[channel]} AS wanted, ${chosen[channel]} AS chosen, ${addressOn[channel]} AS address,
      ${addressOptedOut[channel]} AS "optedOut",
      (SELECT CASE WHEN NOT c.allowed THEN c.source END FROM consents c
        WHERE c.user_id = u.id AND c.channel = ${channel} ORDER BY c.id DESC LIMIT 1) AS "offBy"
    FROM users u WHERE u.id = ${userId} FOR NO KEY UPDATE`.execute(tx);
  return rows[0]!;
}

/** Whether that changed anything. Throws invalid-input if staff undo an opt-out without a recorded request. */
async function write(tx: Db, { channel, allowed, ...by }: Change): Promise<boolean> {
  const before = await stateOf(tx, by.userId, channel);
  const { wanted, address, optedOut } = before;
  // Where only staff turned it off, the recipient's word still has to be kept. A profile may repeat what is off anyway.
  const unheard =
    !allowed &&
    isOptOutSource(by.source) &&
    by.source !== "profile" &&
    addressKind(channel) !== "device" &&
    address !== null &&
    !optedOut;
  if (wanted === allowed && !unheard) return false;
  return allowed ? turnOn(tx, channel, before, by) : turnOff(tx, channel, before, by);
}

type By = Omit<Change, "channel" | "allowed">;
const isOptOutSource = (source: string | null): source is OptOutSource =>
  recipientSources.some((one) => one === source);

async function turnOff(tx: Db, channel: Channel, before: State, by: By): Promise<boolean> {
  const { chosen: on, address, offBy } = before;
  const { userId, source } = by;
  const own = isOptOutSource(source);
  const speaksForAddress =
    own &&
    address !== null &&
    addressKind(channel) !== "device" &&
    !(await mayBeAnyones(tx, userId, channel, source));
  if (!speaksForAddress && !on && isOptOutSource(offBy)) return false;
  if (speaksForAddress) await optOut(tx, { channel, address }, { ...by, source, own: userId });
  else await record(tx, channel, false, by);
  // One click in an email speaks for its inbox alone.
  if (on && !(speaksForAddress && source === "one-click")) await setBit(tx, userId, channel);
  return true;
}

/**
 * Whether the person's address may be someone else's: they entered it themselves, and never proved that they read there
 * or share it with others on file. What they turn off is only their own then. One click follows an email, so it speaks
 * for its inbox unless nothing but a link to confirm went there, and someone else has it.
 */
async function mayBeAnyones(
  tx: Db,
  userId: number,
  channel: Channel,
  source: OptOutSource,
): Promise<boolean> {
  const { rows } = await sql<{ unproven: boolean; shared: boolean; entered: boolean }>`
    SELECT ${unconfirmed[channel]} AS unproven, u.self_registered OR ${enteredThemselves(channel)} AS entered,
      EXISTS (SELECT FROM users h WHERE ${holdsOn[channel]} AND h.deleted_at IS NULL AND h.id <> u.id) AS shared
    FROM users u CROSS JOIN LATERAL (SELECT ${addressOn[channel]} AS address) s WHERE u.id = ${userId}`.execute(
    tx,
  );
  const { unproven, shared, entered } = rows[0]!;
  return source === "one-click" ? unproven && shared : unproven || (shared && entered);
}

/** Whether a person of `users u` changed their own address on this channel; `after`: since then. */
const enteredThemselves = (channel: Channel, after = sql`'-infinity'::timestamptz`) => sql<boolean>`EXISTS (
  SELECT FROM audit a WHERE a.actor_id = u.id AND a.subject_type = 'user' AND a.subject_id = u.id AND a.at > ${after}
    AND a.action IN ('profile.save', 'user.update') AND a.detail -> 'changes' ? ${addressKind(channel)})`;

async function turnOn(tx: Db, channel: Channel, before: State, by: By): Promise<true> {
  const { userId, source, request } = by;
  const { chosen: on, address, optedOut, offBy } = before;
  if (source === "console" && !request && (optedOut || (!on && isOptOutSource(offBy)))) {
    throw refusal("request-not-recorded");
  }
  if (isOptOutSource(source) && optedOut) await refuseNewcomer(tx, userId, channel, address);
  if (!on) await setBit(tx, userId, channel);
  const lifted = address !== null && optedOut;
  const people = lifted
    ? (await liftOptOut(tx, { channel, address }, { ...by, own: userId, request })).people
    : [];
  if (!people.includes(userId)) await record(tx, channel, true, by);
  return true;
}

/**
 * Refuses to undo an opt-out of an address that the person themselves entered after it, or never confirmed: anyone can
 * enter anyone's. Throws conflict.
 */
async function refuseNewcomer(
  tx: Db,
  userId: number,
  channel: Channel,
  address: string | null,
): Promise<void> {
  const field = addressKind(channel);
  const { rows } = await sql`
    SELECT FROM suppressions s JOIN users u ON u.id = ${userId}
    WHERE s.channel = ${channel} AND s.address = ${address} AND (${unconfirmed[channel]}
      OR u.self_registered AND u.created_at > s.created_at
      OR ${enteredThemselves(channel, sql`s.created_at`)})`.execute(tx);
  if (rows.length === 0) return;
  throw refusal(field === "phone" ? "number-opted-out-before" : "inbox-opted-out-before");
}

async function setBit(tx: Db, userId: number, channel: Channel): Promise<void> {
  await sql`UPDATE users SET channels = channels # ${channelSet([channel])}, updated_at = now()
    WHERE id = ${userId}`.execute(tx);
}

async function record(
  tx: Db,
  channel: Channel,
  allowed: boolean,
  { userId, source, actorId, ip, request = "" }: By,
): Promise<void> {
  await sql`
    INSERT INTO consents (user_id, channel, allowed, source, actor_id, ip, request)
    VALUES (${userId}, ${channel}, ${allowed}, ${source}, ${actorId}, ${ip}, ${request || null})`.execute(tx);
}

/** Changes the channels for which a form has a new value; a channel that is left out stays as it is. */
export async function changeConsents(
  db: Db,
  wishes: { [Field in keyof Preferences]?: boolean | undefined },
  by: By,
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
      detail: { source: by.source, changes, ...(by.request ? { request: by.request } : {}) },
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
    request: string | null;
  }>`
    SELECT c.channel, c.allowed, c.source, c.at, c.actor_id IS NOT DISTINCT FROM c.user_id AS own,
      ${nameOf("a")} AS actor, c.request
    FROM consents c LEFT JOIN users a ON a.id = c.actor_id
    WHERE c.user_id = ${userId} ORDER BY c.at DESC, c.id DESC LIMIT ${SHOWN}`.execute(db);
  return found.rows.map(({ at, own, actor, request, ...change }) => ({
    ...change,
    sentence: sourceSentence(change.source, own ? null : actor, request),
    at: at.toISOString(),
  }));
}

const sentences: Record<ConsentSource, string> = {
  console: "In the console",
  profile: "In their own profile",
  "preferences-page": "On the preferences page linked in an email",
  "one-click": "One-click unsubscribe in an email",
  "texted-stop": "Texted STOP",
  "texted-words": "Texted something that sounds like STOP",
  "texted-start": "Texted START",
  "shared-address": "By someone with the same address or number",
};

const isKnown = (source: string): source is ConsentSource =>
  (consentSources as readonly string[]).includes(source);

/** The source in words; `actor` is someone else who changed it for the person. */
function sourceSentence(source: string, actor: string | null, request: string | null): string {
  const sentence = isKnown(source) ? sentences[source] : source;
  const said = actor === null || source === "shared-address" ? sentence : `${sentence}, by ${actor}`;
  return request === null ? said : `${said}. Request: ${request}`;
}

/** Which channels a person gets now. */
export async function readPreferences(db: Db, userId: number): Promise<Preferences> {
  const columns = channels.map((channel) => sql`${wants[channel]} AS ${sql.ref(preferenceField[channel])}`);
  const { rows } = await sql<Preferences>`
    SELECT ${sql.join(columns)} FROM users u WHERE u.id = ${userId}`.execute(db);
  return rows[0]!;
}
