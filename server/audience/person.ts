import { sql, type RawBuilder } from "kysely";
import type { Reason } from "#contract/delivery-reasons.ts";
import {
  channels as allChannels,
  channelMeaning,
  forEachChannel,
  type AddressKind,
  type Channel,
} from "#contract/delivery.ts";
import { channelSwitch } from "#contract/calls/settings.ts";
import type { SuppressionKind } from "#contract/calls/suppressions.ts";
import type { SkipIf } from "#contract/calls/detail-conditions.ts";
import { conditionText } from "#contract/text/detail-conditions.ts";
import type { Db } from "#server/db/database.ts";
import {
  type HomeField,
  isHomeField,
  isPersonField,
  type PersonField,
} from "#contract/text/message-fields.ts";
import { meets } from "./detail-conditions.ts";
import { detailText, type NeededField } from "./details.ts";
import { homeValue } from "./home-fields.ts";
import { isStoredValue, ownValue as valueForMessage, ownValues } from "./values.ts";

/** What the engine reads from `users u`, as SQL. */

/** Of `users` under this alias. */
export const nameOf = (alias: string): RawBuilder<string> =>
  sql`trim(trim(${sql.id(alias, "first_name")}) || ' ' || trim(${sql.id(alias, "last_name")}))`;

/** A company is greeted by its whole name. In older imports its legal form may stand first: "Inc.", "Example Group". */
const company = sql`CASE WHEN is_company_name('x ' || trim(u.first_name)) THEN trim(u.last_name) || ', ' || trim(u.first_name)
  WHEN is_company_name(u.first_name || ' ' || u.last_name) THEN ${nameOf("u")} END`;

/** Null: not on file. Who has only a last name is called by it. */
const ownValue: Record<Exclude<PersonField, HomeField>, RawBuilder<string | null>> = {
  tenant_name: sql`coalesce(${company}, nullif(${nameOf("u")}, ''))`,
  first_name: sql`coalesce(${company}, nullif(trim(u.first_name), ''), nullif(trim(u.last_name), ''))`,
  last_name: sql`CASE WHEN trim(u.first_name) = '' OR ${company} IS NOT NULL THEN '' ELSE trim(u.last_name) END`,
  email: sql`nullif(trim(u.email), '')`,
  phone: sql`nullif(trim(u.phone), '')`,
  property_unit: sql`nullif(trim(u.property_unit), '')`,
  property_name: sql`nullif(trim(u.property), '')`,
};

const fieldValue = (field: PersonField, notificationId?: number): RawBuilder<string | null> =>
  isHomeField(field) ? homeValue(field, notificationId) : ownValue[field];

type Filled = { field: string; value: RawBuilder<string | null> };

/** Those of the fields that are filled from the person. */
function valuesOf(fields: readonly NeededField[], notificationId?: number): Filled[] {
  return fields.flatMap((needed) => {
    if (typeof needed !== "string")
      return [
        { field: needed.field, value: "kind" in needed ? detailText(needed) : valueForMessage(needed) },
      ];
    return isPersonField(needed) ? [{ field: needed, value: fieldValue(needed, notificationId) }] : [];
  });
}

/**
 * The person's values for these fields as one JSON object. What is not on file is left out, so it counts as missing. A
 * last name may be empty. Without a property on file, the run's own `property_name` applies, which is the site's name.
 * `notificationId`: what is about one of their homes, if it goes by residents' dates.
 */
export function personValuesSql(
  fields: readonly NeededField[],
  notificationId?: number,
): RawBuilder<Record<string, string>> {
  const stored = fields.filter(isStoredValue);
  const others = fields.filter((needed) => !isStoredValue(needed));
  const pairs = valuesOf(others, notificationId).map(({ field, value }) => sql`${sql.lit(field)}, ${value}`);
  const objects = [
    ...(pairs.length > 0 ? [sql`jsonb_build_object(${sql.join(pairs)})`] : []),
    ...(stored.length > 0 ? [ownValues(stored)] : []),
  ];
  return objects.length === 0 ? sql`'{}'::jsonb` : sql`jsonb_strip_nulls(${sql.join(objects, sql` || `)})`;
}

type AddressRules = {
  /** Of `users u`, normalized as in deliveries and suppressions; null if none is on file. */
  address: RawBuilder<string | null>;
  valid: RawBuilder<boolean>;
  /** It is only what the person entered themselves, and may be anyone's. */
  unconfirmed: RawBuilder<boolean>;
  absent: RawBuilder<Reason | null>;
  invalid: RawBuilder<Reason | null>;
  /** Finds the people among `users h` who have the address `s.address`, using an index. */
  holds: RawBuilder<boolean>;
};

/**
 * Whether a message could reach a device of the person: any may exist, except where the account in use reaches only the
 * browsers that were signed up with it.
 */
const hasDevice = sql<boolean>`(
  NOT EXISTS (SELECT FROM accounts WHERE browser_key IS NOT NULL AND enabled)
  OR u.id IN (SELECT b.user_id FROM push_browsers b JOIN accounts p ON p.browser_key = b.server_key AND p.enabled))`;

const emailUnconfirmed = sql<boolean>`(u.email_unconfirmed OR u.address_confirmed_at IS NULL)`;

const addressRules: Record<AddressKind, AddressRules> = {
  email: {
    address: sql`nullif(lower(trim(u.email)), '')`,
    valid: sql`u.email_valid`,
    unconfirmed: emailUnconfirmed,
    absent: sql.lit("no-email"),
    invalid: sql`CASE WHEN ${emailUnconfirmed} THEN 'unconfirmed-email' ELSE 'invalid-email' END`,
    holds: sql`lower(trim(h.email)) = s.address`,
  },
  phone: {
    address: sql`nullif(trim(u.phone), '')`,
    valid: sql`u.phone_valid`,
    unconfirmed: sql`u.phone_unconfirmed`,
    absent: sql.lit("no-phone"),
    invalid: sql`CASE WHEN u.phone_unconfirmed THEN 'unconfirmed-phone' ELSE 'invalid-phone' END`,
    holds: sql`trim(h.phone) = s.address`,
  },
  device: {
    address: sql`CASE WHEN ${hasDevice} THEN u.id::text END`,
    valid: hasDevice,
    unconfirmed: sql`false`,
    absent: sql.lit("no-device"),
    invalid: sql.lit(null),
    holds: sql`h.id = CASE WHEN s.address ~ '^[0-9]{1,18}$' THEN s.address::bigint END`,
  },
};

const rulesOf = (channel: Channel) => addressRules[channelMeaning[channel].address];

/** The address for a person of `users u` on this channel; null if none is on file. */
export const address = forEachChannel((channel) => rulesOf(channel).address);

/** Whether no one vouched that the person of `users u` reads at their address on this channel. */
export const unconfirmed = forEachChannel((channel) => rulesOf(channel).unconfirmed);

/** Finds the people among `users h` who have the address of the suppression `s`, using an index. */
export const holds: RawBuilder<boolean> = sql`(${sql.join(
  allChannels.map((channel) => sql`s.channel = ${sql.lit(channel)} AND ${rulesOf(channel).holds}`),
  sql` OR `,
)})`;

/** The same on one channel. */
export const holdsOn = forEachChannel((channel) => rulesOf(channel).holds);

/** Channels as `users.channels` stores them: one bit each, by their place in the contract's list. */
export function channelSet(of: readonly Channel[]): number {
  return of.reduce((set, channel) => set | (1 << allChannels.indexOf(channel)), 0);
}

/** Whether the person's own record has the channel turned on. */
export const chosen = forEachChannel(
  (channel) => sql<boolean>`(u.channels & ${sql.lit(channelSet([channel]))} <> 0)`,
);

/** Of a row of `suppressions`: its recipient wants nothing there. */
export const isOptOut = (of: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${of}.kind`)} = 'unsubscribe' OR ${sql.ref(`${of}.opted_out_by`)} IS NOT NULL)`;

/** Whether the person's address on this channel has been opted out of, no matter which of its readers did. */
export const addressOptedOut = forEachChannel((channel) =>
  // No one but its owner has a device.
  channelMeaning[channel].address === "device"
    ? sql<boolean>`false`
    : sql<boolean>`EXISTS (SELECT FROM suppressions o
        WHERE o.channel = ${sql.lit(channel)} AND o.address = ${address[channel]} AND ${isOptOut("o")})`,
);

/** Whether the person has the channel turned on, and its address has not been opted out of. */
export const wants = forEachChannel(
  (channel) => sql<boolean>`(${chosen[channel]} AND NOT ${addressOptedOut[channel]})`,
);

/** A text costs money, so none goes out for a stranger; nor to a number that wants none. */
export const mayTextConfirmation = sql<boolean>`(${wants.sms} AND NOT ${unconfirmed.email})`;

/**
 * Off by default, and no one ever chose it. A channel that is on by default is only off by choice.
 */
const neverTurnedOn = forEachChannel((channel) =>
  channelMeaning[channel].onByDefault
    ? sql<boolean>`false`
    : sql<boolean>`NOT EXISTS (SELECT FROM consents o WHERE o.user_id = u.id AND o.channel = ${sql.lit(channel)})`,
);

/** Whether `eligibility` gives opted-out as the reason. */
export const refuses = forEachChannel(
  (channel) =>
    sql<boolean>`(${addressOptedOut[channel]} OR NOT ${chosen[channel]} AND NOT ${neverTurnedOn[channel]})`,
);

/** Whether the settings have the channel turned off, for everyone. */
export const turnedOff = forEachChannel(
  (channel) =>
    sql<boolean>`EXISTS (SELECT FROM settings WHERE key = ${sql.lit(channelSwitch[channel])} AND value = 'false')`,
);

/** The channels that the settings have turned off. */
export async function channelsTurnedOff(db: Db): Promise<Channel[]> {
  const states = allChannels.map((channel) => sql`${turnedOff[channel]} AS ${sql.ref(channel)}`);
  const { rows } = await sql<Record<Channel, boolean>>`SELECT ${sql.join(states)}`.execute(db);
  return allChannels.filter((channel) => rows[0]?.[channel]);
}

/**
 * Whether a person of `users u` can be reached on this channel, as far as it is up to them; `eligibility` gives the reason.
 * Cheap for 100,000 people: it reads only the person's columns, and looks up the few suppressed addresses once.
 */
export function reachable(channel: Channel): RawBuilder<boolean> {
  // OFFSET 0 keeps each suppressed address a look into the index, where a join would read all people.
  const { valid, holds } = rulesOf(channel);
  return sql<boolean>`(${valid} AND ${chosen[channel]} AND u.id NOT IN (
    SELECT holder.id FROM suppressions s CROSS JOIN LATERAL (
      SELECT h.id FROM users h WHERE ${holds} AND h.deleted_at IS NULL OFFSET 0) holder
    WHERE s.channel = ${sql.lit(channel)}))`;
}

/** Not reachable on any channel. */
export function unreachable(): RawBuilder<boolean> {
  return sql<boolean>`NOT (${sql.join(allChannels.map(reachable), sql` OR `)})`;
}

type EligibilityOptions = {
  toConfirm?: boolean;
  answersOptOut?: boolean;
  notificationId?: number | undefined;
  skipIf?: SkipIf | null;
};

/**
 * FROM clause that pairs each person of `users u` with each channel: `c.channel`, `a.address` (normalized), and
 * `j.reason`, `j.detail` if nothing can be sent there (null if it can). `f.values`: the person's values for the fields.
 * It does not check for shared addresses.
 * `toConfirm`: the message is the one by which a person confirms their address. `answersOptOut`: an address that has
 * opted out gets it. `skipIf`: who is left out first.
 */
export function eligibility(
  channels: readonly Channel[],
  fields: readonly NeededField[],
  { toConfirm = false, answersOptOut = false, notificationId, skipIf = null }: EligibilityOptions = {},
) {
  // OFFSET 0: once for each person, and for each verdict. Otherwise PostgreSQL writes them out wherever they are named.
  const confirming = toConfirm ? byChannel((channel) => unconfirmed[channel]) : sql`false`;
  return sql`users u
    CROSS JOIN LATERAL (SELECT own.values, ${missingIn(sql`own.values`, fields)} AS missing
      FROM (SELECT ${personValuesSql(fields, notificationId)} AS values OFFSET 0) own OFFSET 0) f
    CROSS JOIN unnest(${channels}::text[]) WITH ORDINALITY c (channel, place)
    CROSS JOIN LATERAL (SELECT ${byChannel((channel) => address[channel])} AS address,
      ${byChannel((channel) => chosen[channel])} AS chosen) a
    LEFT JOIN suppressions s ON s.channel = c.channel AND s.address = a.address
    CROSS JOIN LATERAL (SELECT CASE
      ${skipIf ? sql`WHEN ${meets(skipIf)} THEN 'settled'` : sql``}
      WHEN ${isOptOut("s")} THEN ${answersOptOut ? sql`NULL` : sql`'opted-out'`}
      WHEN NOT a.chosen AND NOT ${byChannel((channel) => neverTurnedOn[channel])} THEN 'opted-out'
      WHEN ${byChannel((channel) => turnedOff[channel])} THEN 'channel-off'
      WHEN NOT a.chosen THEN 'not-turned-on'
      WHEN a.address IS NULL THEN ${byChannel((channel) => rulesOf(channel).absent)}
      WHEN NOT ${byChannel((channel) => rulesOf(channel).valid)} AND NOT ${confirming}
        THEN ${byChannel((channel) => rulesOf(channel).invalid)}
      WHEN s.address IS NOT NULL THEN 'suppressed'
      WHEN f.missing IS NOT NULL THEN 'missing-field'
    END AS reason OFFSET 0) r
    CROSS JOIN LATERAL (SELECT r.reason, CASE r.reason
      WHEN 'suppressed' THEN s.reason WHEN 'opted-out' THEN ${optOutDetail} WHEN 'missing-field' THEN f.missing
      ${skipIf ? sql`WHEN 'settled' THEN ${conditionText(skipIf, skipIf.label)}` : sql``} END AS detail) j`;
}

/** Of the suppression `s`: how the address was opted out of; null: the person's own record says so. */
export const optOutDetail = sql<string | null>`CASE WHEN ${isOptOut("s")} THEN s.reason END`;

function byChannel(value: (channel: Channel) => RawBuilder<unknown>) {
  const cases = allChannels.map((channel) => sql`WHEN ${sql.lit(channel)} THEN ${value(channel)}`);
  return sql`CASE c.channel ${sql.join(cases, sql` `)} END`;
}

/** The first of the fields that is not on file for this person. The site name stands in for a missing property name. */
export function missingField(
  fields: readonly NeededField[],
  notificationId?: number,
): RawBuilder<string | null> {
  return firstWithout(valuesOf(fields, notificationId), ({ value }) => sql`${value} IS NULL`);
}

/** The same of the person's values, as `personValuesSql` has read them. */
const missingIn = (values: RawBuilder<unknown>, fields: readonly NeededField[]): RawBuilder<string | null> =>
  firstWithout(valuesOf(fields), ({ field }) => sql`NOT ${values} ? ${field}::text`);

function firstWithout(
  needed: readonly Filled[],
  isMissing: (one: Filled) => RawBuilder<unknown>,
): RawBuilder<string | null> {
  const cases = needed
    .filter(({ field }) => field !== "property_name")
    .map((one) => sql`WHEN ${isMissing(one)} THEN ${one.field}::text`);
  return cases.length === 0 ? sql`NULL::text` : sql`CASE ${sql.join(cases, sql` `)} END`;
}

type Suppression = {
  channel: Channel;
  address: string;
  kind: SuppressionKind;
  reason: string;
  optedOut: boolean;
  words: string | null;
  at: Date;
};

/** A person's blocked addresses, and why they are blocked. */
export async function suppressionsOf(db: Db, userId: number): Promise<Suppression[]> {
  const found = await sql<Suppression>`
    SELECT s.channel, s.address, s.kind, s.reason, ${isOptOut("s")} AS "optedOut", s.words, s.created_at AS at
    FROM users u
    CROSS JOIN unnest(${[...allChannels]}::text[]) WITH ORDINALITY c (channel, place)
    JOIN suppressions s ON s.channel = c.channel AND s.address = ${byChannel((channel) => address[channel])}
    WHERE u.id = ${userId} ORDER BY c.place`.execute(db);
  return found.rows;
}
