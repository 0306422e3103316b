import { sql } from "kysely";
import type { BodyOf } from "#contract/endpoint.ts";
import { channelMeaning } from "#contract/delivery.ts";
import { isColleague, may } from "#contract/permissions.ts";
import { perPreference, preferenceField, type Preferences, type users } from "#contract/calls/users.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { type Db, isUniqueViolation, transaction } from "#server/db/database.ts";
import { refuseStale } from "#server/db/stale-edit.ts";
import { checkOwnPassword } from "#server/features/auth/own-password.ts";
import { countContactChange } from "#server/features/auth/throttle.ts";
import { hashNewPassword } from "#server/features/auth/password-policy.ts";
import { setPassword } from "#server/features/auth/set-password.ts";
import { readDetails, withLabels } from "#server/audience/details.ts";
import { followToNewAddresses } from "#server/audience/opt-outs.ts";
import { changeConsents, readPreferences } from "#server/features/consent/queries.ts";
import { tellOfChange } from "#server/features/credentials/account-notice.ts";
import { sendConfirmation } from "#server/features/credentials/confirmation.ts";
import { setHandGroups } from "#server/features/groups/memberships.ts";
import { syncRuleGroups } from "#server/features/groups/sync-rule-groups.ts";
import { homeAfter, noHome, spelled } from "#server/features/users/home.ts";
import { contactsOf } from "#server/features/people/contact-fields.ts";
import { detailsAfter } from "#server/features/people/details.ts";
import { lockPerson, type StoredPerson } from "#server/features/people/stored-person.ts";
import {
  actorNow,
  colleagueRefusal,
  keepAnAdministrator,
  roleRefusal,
  takeTurns,
} from "#server/features/people/who-may-change.ts";
import { refuseUnconfirmed } from "#server/http/authorize.ts";
import type { By, SessionBy } from "#server/http/route.ts";
import { settleHomes } from "#server/places/settle.ts";

type Create = BodyOf<typeof users.create>;
type Update = BodyOf<typeof users.update>;

/** Throws if this person must not set that password: `id` is null for a new person. */
function refusePassword(id: number | null, { user, session }: SessionBy): void {
  if (id === user.id) {
    throw refusal("own-password-elsewhere");
  }
  if (!may(session, "accounts:write")) {
    throw refusal("password-of-another");
  }
}

/** Creates a person and returns the id. Throws forbidden, conflict (username) and invalid-input. */
export async function createPerson(db: Db, body: Create, by: SessionBy): Promise<number> {
  if (body.password) refusePassword(null, by);
  if (isColleague(body.role) || body.password) refuseUnconfirmed(by.session);
  const contacts = await contactsOf(db, null, body);
  const passwordHash = body.password ? await hashNewPassword(db, body.password, body) : null;
  return transaction(db, async (tx) => {
    const refused = roleRefusal(await actorNow(tx, by.user.id), { before: undefined, after: body.role });
    if (refused) throw refused;
    const home = await spelled(tx, homeAfter(noHome, body));
    const details = body.details ? detailsAfter({}, body.details, await readDetails(tx)) : {};
    const made = await tx
      .insertInto("users")
      .values({
        username: body.username,
        email: contacts.email,
        phone: contacts.phone,
        other_contacts: contacts.otherContacts,
        details: JSON.stringify(details),
        first_name: body.firstName,
        last_name: body.lastName,
        role: body.role,
        property_unit: home.propertyUnit,
        property: home.property,
        unit: home.unit,
        home_by_hand: home.homeByHand,
        password_hash: passwordHash,
        password_changed_at: passwordHash === null ? null : sql<Date>`now()`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!made) throw refusal("username-taken");
    await saveConsents(tx, made.id, { wishes: body, before: newPreferences, by });
    if (body.groupIds) await setHandGroups(tx, made.id, body.groupIds);
    if (home.property !== null) await syncRuleGroups(tx, [home.property]);
    await settleHomes(tx, [made.id], { actorId: by.user.id });
    if (passwordHash !== null) await tellOfChange(tx, made.id, "created", by);
    await recordAudit(tx, {
      by,
      action: "user.create",
      subject: { type: "user", id: made.id },
      detail: { username: body.username, role: body.role },
    });
    return made.id;
  });
}

/**
 * Changes a person. Throws not-found, forbidden, conflict (username, role, someone else's change) and invalid-input.
 */
export async function updatePerson(db: Db, id: number, body: Update, by: SessionBy): Promise<void> {
  if (body.password) {
    refusePassword(id, by);
    refuseUnconfirmed(by.session);
  }
  if (id === by.user.id && body.vouchFor?.length) {
    throw refusal("vouching-for-oneself");
  }
  const proven = id === by.user.id && body.currentPassword !== undefined && body.currentPassword !== "";
  if (proven) await checkOwnPassword(db, body.currentPassword ?? "", by);
  const passwordHash = body.password ? await hashNewPassword(db, body.password, body) : undefined;
  await transaction(db, async (tx) => {
    await takeTurns(tx);
    const actor = await actorNow(tx, by.user.id);
    const before = await lockPerson(tx, id);
    const change = { before, after: body.role };
    const refused = roleRefusal(actor, change);
    if (refused) throw refused;
    await keepAnAdministrator(tx, change);
    refuseStale(body.updatedAt, before.updatedAt, "person");
    const home = await spelled(tx, homeAfter(before, body));
    const entered = {
      username: body.username,
      ...(await contactsOf(tx, before, body)),
      details: body.details
        ? detailsAfter(before.details, body.details, await readDetails(tx))
        : before.details,
      firstName: body.firstName,
      lastName: body.lastName,
      role: body.role,
      ...home,
    };
    const vouched = id === by.user.id ? [] : vouchedFor(before, entered, body);
    const after = { ...entered, ...confirmedAfter(before, entered, vouched) };
    const notTheirs = colleagueRefusal(actor, before, after);
    if (notTheirs) throw notTheirs;
    const changes = changesBetween(before, after);
    const contact = contactFields.filter((field) => field in changes);
    if (contact.length > 0 && id === by.user.id) {
      if (!proven) throw refusal("current-password-missing");
      await countContactChange(tx, id);
    }
    // Their one-time links go there.
    const hasAccount = before.hasPassword || isColleague(before.role);
    if (contact.length > 0 && id !== by.user.id && hasAccount) refuseUnconfirmed(by.session);
    if ("role" in changes && isColleague(after.role)) refuseUnconfirmed(by.session);
    const renamed = (["username", "firstName", "lastName"] as const).some((field) => field in changes);
    if (renamed && id !== by.user.id && isColleague(before.role)) refuseUnconfirmed(by.session);
    for (const field of contact) await tellOfChange(tx, id, field, by);
    const preferences = await readPreferences(tx, id);
    await write(tx, id, { ...after, known: vouched.includes("email") });
    if (id === by.user.id) for (const field of contact) await sendConfirmation(tx, by.user, field);
    if (contact.length > 0) await followToNewAddresses(tx, [id]);
    await saveConsents(tx, id, { wishes: body, before: preferences, by });
    const groups = body.groupIds && (await setHandGroups(tx, id, body.groupIds));
    if (home.property !== null) await syncRuleGroups(tx, [home.property]);
    await settleHomes(tx, [id], { how: body.homeChange ?? "moved", actorId: by.user.id });
    if (passwordHash !== undefined) {
      await tellOfChange(tx, id, await setPassword(tx, id, passwordHash), by);
    }
    const regrouped = groups !== undefined && groups.joined.length + groups.left.length > 0;
    if (Object.keys(changes).length === 0 && !regrouped && passwordHash === undefined) return;
    if (changes["details"]) changes["details"] = await withLabels(tx, changes["details"]);
    await recordAudit(tx, {
      by,
      action: "user.update",
      subject: { type: "user", id },
      detail: { changes, ...(groups && { groups }), ...(passwordHash !== undefined && { password: "set" }) },
    });
  });
}

const newPreferences = perPreference((channel) => channelMeaning[channel].onByDefault);

/**
 * Saves the preferences that differ from those before, together with the request for them. One that stays on is no
 * request to turn it on: an address that was opted out of stays so, whoever gets it.
 */
async function saveConsents(
  tx: Db,
  userId: number,
  { wishes, before, by }: { wishes: Update; before: Preferences; by: By },
): Promise<void> {
  const request = wishes.consentRequest || undefined;
  const changed = perPreference((channel) => {
    const field = preferenceField[channel];
    return wishes[field] === before[field] && !request ? undefined : wishes[field];
  });
  const source = userId === by.user.id ? "profile" : "console";
  await changeConsents(tx, changed, { userId, source, actorId: by.user.id, ip: by.ip, request });
}

const contactFields = ["email", "phone"] as const;
type Contact = Pick<StoredPerson, (typeof contactFields)[number]>;

const isSame = (field: keyof Contact, before: Contact, after: Contact) =>
  before[field]?.trim().toLowerCase() === after[field]?.trim().toLowerCase();

/** Staff vouch for what they enter for someone else, and for what they say they know: not by merely saving. */
const vouchedFor = (before: Contact, after: Contact, { vouchFor = [] }: Update) =>
  contactFields.filter((field) => !isSame(field, before, after) || vouchFor.includes(field));

/** Which addresses are known to be the person's. What people enter for themselves they have to confirm. */
function confirmedAfter(before: StoredPerson, after: Contact, vouched: readonly (keyof Contact)[]) {
  const isConfirmed = (field: keyof Contact, was: boolean) =>
    vouched.includes(field) || (isSame(field, before, after) ? was : after[field] === null);
  return {
    addressConfirmed: isConfirmed("email", before.addressConfirmed),
    phoneConfirmed: isConfirmed("phone", before.phoneConfirmed),
  };
}

type Written = Omit<StoredPerson, "id" | "updatedAt" | "hasPassword">;

/** `known`: staff know them, however they came here. */
async function write(tx: Db, id: number, after: Written & { known: boolean }): Promise<void> {
  try {
    await tx
      .updateTable("users")
      .set({
        username: after.username,
        email: after.email,
        phone: after.phone,
        other_contacts: after.otherContacts,
        details: JSON.stringify(after.details),
        first_name: after.firstName,
        last_name: after.lastName,
        role: after.role,
        property_unit: after.propertyUnit,
        property: after.property,
        unit: after.unit,
        home_by_hand: after.homeByHand,
        ...(after.addressConfirmed && {
          address_confirmed_at: sql<Date>`coalesce(address_confirmed_at, now())`,
        }),
        email_unconfirmed: !after.addressConfirmed,
        phone_unconfirmed: !after.phoneConfirmed,
        ...(after.known && { self_registered: false }),
        updated_at: sql<Date>`now()`,
      })
      .where("id", "=", id)
      .execute();
  } catch (error) {
    throw isUniqueViolation(error) ? refusal("username-taken") : error;
  }
}
