import type { FieldErrors, Resolver } from "react-hook-form";
import type { Role } from "#contract/calls/auth.ts";
import type { ProviderState } from "#contract/calls/integrations.ts";
import type { BodyIn } from "#contract/endpoint.ts";
import { fold } from "#contract/text/fold.ts";
import { valueOf } from "#contract/text/message-fields.ts";
import { detailExample, readDetail, typedDetail } from "#contract/text/person-details.ts";
import { personDetails } from "#contract/text/kept-details.ts";
import { isColleague } from "#contract/permissions.ts";
import { unitKey } from "#contract/text/unit-name.ts";
import { splitPropertyUnit } from "#contract/text/property-unit.ts";
import {
  addressKind,
  type AddressKind,
  channelMeaning,
  channels,
  type LinkChannel,
  linkChannels,
  noAccount,
} from "#contract/delivery.ts";
import {
  createUserBody,
  perPreference,
  personFields,
  preferenceField,
  updateUserBody,
  type Preferences,
  type User,
  type UserDetail,
  type users,
} from "#contract/calls/users.ts";
import { nationalPhone, shownContacts } from "#web/domain/phone-number.ts";

export type ChosenGroup = { id: number; name: string };

/** The dialog's fields, for a new and an existing person. */
export type UserForm = Preferences & {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  password: string;
  /** Your own password, to change your own email or phone. */
  currentPassword: string;
  phone: string;
  otherContacts: string;
  /** As they are typed, by their fields. */
  details: Record<string, string>;
  propertyUnit: string;
  /** `property` and `unit` were typed to correct what was recognized in propertyUnit. */
  corrected: boolean;
  property: string;
  unit: string;
  /** What another Property/Unit means. */
  homeChange: "moved" | "corrected";
  groups: ChosenGroup[];
  sendCredentials: boolean;
  /** Who asked to turn on again what the recipient turned off. */
  consentRequest: string;
  /** Whoever edits them vouches for what they entered themselves. */
  knowsEmail: boolean;
  knowsPhone: boolean;
};

export const emptyForm: UserForm = {
  username: "",
  email: "",
  firstName: "",
  lastName: "",
  role: "tenant",
  password: "",
  currentPassword: "",
  phone: "",
  otherContacts: "",
  details: {},
  propertyUnit: "",
  corrected: false,
  property: "",
  unit: "",
  homeChange: "moved",
  ...perPreference((channel) => channelMeaning[channel].onByDefault),
  groups: [],
  sendCredentials: true,
  consentRequest: "",
  knowsEmail: false,
  knowsPhone: false,
};

export function formOf(stored: UserDetail): UserForm {
  return {
    username: stored.username,
    email: stored.email ?? "",
    firstName: stored.firstName,
    lastName: stored.lastName,
    role: stored.role,
    password: "",
    currentPassword: "",
    phone: shownPhone(stored),
    otherContacts: shownContacts(stored.otherContacts),
    details: shownDetails(stored),
    propertyUnit: stored.propertyUnit ?? "",
    corrected: false,
    property: stored.property ?? "",
    unit: stored.unit ?? "",
    homeChange: "moved",
    ...preferencesOf(stored),
    groups: handGroups(stored),
    sendCredentials: false,
    consentRequest: "",
    knowsEmail: false,
    knowsPhone: false,
  };
}

const shownDetails = ({ details }: Pick<UserDetail, "details">) =>
  Object.fromEntries(
    personDetails().map(({ field, kind }) => [field, typedDetail(kind, valueOf(details, field) ?? "")]),
  );

/** What was typed, as it is stored: only what differs from what is on file. What can't be read stays as it is. */
function changedDetails(form: UserForm, stored: UserDetail | undefined) {
  const shown = shownDetails(stored ?? { details: {} });
  const changed = personDetails().flatMap(({ field, kind }) => {
    const typed = (valueOf(form.details, field) ?? "").trim();
    if (typed === shown[field]) return [];
    return [[field, typed === "" ? "" : (readDetail(kind, typed) ?? typed)] as const];
  });
  return changed.length > 0 ? { details: Object.fromEntries(changed) } : {};
}

/** A sentence for each detail that can't be read. */
function unreadDetails(form: UserForm): Record<string, { type: string; message: string }> {
  return Object.fromEntries(
    personDetails().flatMap(({ field, kind, label }) => {
      const typed = (valueOf(form.details, field) ?? "").trim();
      if (typed === "" || readDetail(kind, typed) !== null) return [];
      const like = kind === "date" ? "a date" : `${aKind[kind]} like ${detailExample(kind)}`;
      return [[field, { type: "contract", message: `${label} must be ${like}` }]];
    }),
  );
}

const aKind = { text: "a text", number: "a number", amount: "an amount" } as const;

const shownPhone = ({ phone }: User) => (phone ? nationalPhone(phone) : "");

const preferencesOf = (from: Preferences) => perPreference((channel) => from[preferenceField[channel]]);

/** The hand-picked groups that this person is in. */
function handGroups({ groups }: UserDetail): ChosenGroup[] {
  return groups.filter(({ byRule }) => !byRule).map(({ id, name }) => ({ id, name }));
}

type Home = { property: string; unit: string };

/** The person's property and unit according to the form: corrected, stored, or recognized now. */
export function homeOf(
  form: Pick<UserForm, "propertyUnit" | "corrected" | "property" | "unit">,
  stored: Pick<User, "propertyUnit" | "property" | "unit"> | undefined,
): Home {
  if (form.corrected) return { property: form.property.trim(), unit: form.unit.trim() };
  const text = form.propertyUnit.trim();
  const known = stored && text === (stored.propertyUnit ?? "") ? stored : splitPropertyUnit(text);
  return { property: known.property ?? "", unit: known.unit ?? "" };
}

/** Whether the form has to ask what another home means: of a tenant who has one, and not if it only gets its unit. */
export function asksWhetherMoved(
  form: Pick<UserForm, "role" | "propertyUnit" | "corrected" | "property" | "unit">,
  stored: UserDetail | undefined,
): boolean {
  if (!stored?.property || isColleague(form.role)) return false;
  const home = homeOf(form, stored);
  if (home.property === "") return false;
  if (fold(home.property) !== fold(stored.property)) return true;
  return stored.unit !== null && unitKey(home.unit) !== unitKey(stored.unit);
}

type Ways = Pick<UserForm, "email" | "phone" | (typeof preferenceField)[LinkChannel]>;

/** The channels on which a link would be sent: turned on, with an address, and able to carry a link. */
export function credentialsChannels(form: Ways): LinkChannel[] {
  const addresses: Record<AddressKind, string> = { email: form.email, phone: form.phone, device: "" };
  return linkChannels.filter(
    (channel) => form[preferenceField[channel]] && addresses[addressKind(channel)].trim() !== "",
  );
}

/** What a link on these channels does. A channel whose messages stay in the Sandbox has no account. */
export function linkText(channels: readonly LinkChannel[], providers: readonly ProviderState[]): string {
  const without = channels.filter((channel) =>
    providers.some((one) => one.channel === channel && one.state === "Sandbox"),
  );
  if (without.length === channels.length) {
    return `No link can be sent: ${noAccount(...without)}. Connect one in Integrations, then send it from the person's page.`;
  }
  const ways = channels
    .filter((channel) => !without.includes(channel))
    .map((channel) => channelMeaning[channel].spoken);
  return [
    `Sends a link by ${ways.join(" and ")}.`,
    ...without.map((channel) => `None by ${channelMeaning[channel].spoken}: ${noAccount(channel)}.`),
    "It works once, expires after 24 hours, and lets them choose a password. We never send passwords.",
  ].join(" ");
}

const sendsCredentials = (form: UserForm) => form.sendCredentials && credentialsChannels(form).length > 0;

type Create = BodyIn<typeof users.create>;
type Update = BodyIn<typeof users.update>;

function common(form: UserForm) {
  const { username, email, firstName, lastName, role, phone, propertyUnit, corrected, property, unit } = form;
  return {
    username,
    email,
    firstName,
    lastName,
    role,
    phone,
    propertyUnit,
    // If left out, the server recognizes them in propertyUnit.
    ...(corrected ? { property, unit } : {}),
    ...(sendsCredentials(form) ? { sendCredentials: true } : {}),
  };
}

export function createBody(form: UserForm): Create {
  return {
    ...common(form),
    ...preferencesOf(form),
    ...changedDetails(form, undefined),
    groupIds: form.groups.map(({ id }) => id),
    // Someone who is invited chooses their own.
    password: form.sendCredentials ? "" : form.password,
  };
}

/** Only the preferences and groups that were changed here, because others may have changed the rest meanwhile. */
export function updateBody(form: UserForm, stored: UserDetail): Update {
  const changed = Object.values(preferenceField).filter((name) => form[name] !== stored[name]);
  const before = new Set(handGroups(stored).map(({ id }) => id));
  const groupIds = form.groups.map(({ id }) => id);
  const regrouped = groupIds.length !== before.size || groupIds.some((id) => !before.has(id));
  const { phone, ...others } = common(form);
  return {
    ...others,
    // A number that wasn't touched isn't read anew, whichever country is chosen meanwhile.
    ...(phone === shownPhone(stored) ? {} : { phone }),
    ...(form.otherContacts === shownContacts(stored.otherContacts)
      ? {}
      : { otherContacts: form.otherContacts }),
    ...changedDetails(form, stored),
    ...Object.fromEntries(changed.map((name) => [name, form[name]])),
    ...(regrouped ? { groupIds } : {}),
    ...(asksWhetherMoved(form, stored) ? { homeChange: form.homeChange } : {}),
    ...(form.consentRequest === "" ? {} : { consentRequest: form.consentRequest }),
    ...(form.knowsEmail || form.knowsPhone
      ? {
          vouchFor: [
            ...(form.knowsEmail ? (["email"] as const) : []),
            ...(form.knowsPhone ? (["phone"] as const) : []),
          ],
        }
      : {}),
    ...(form.password === "" ? {} : { password: form.password }),
    ...(form.currentPassword === "" ? {} : { currentPassword: form.currentPassword }),
    updatedAt: stored.updatedAt,
  };
}

/** Whether a channel is turned on here that the recipient, or someone with the same address, turned off. */
export function asksForRequest(form: Preferences, stored: UserDetail | undefined): boolean {
  return channels.some((channel) => {
    const name = preferenceField[channel];
    if (!stored || stored[name] || !form[name]) return false;
    const last = stored.consents.find((change) => change.channel === channel);
    return (
      stored.suppressions.some((one) => one.channel === channel && one.optedOut) ||
      (last?.allowed === false && last.source !== "console")
    );
  });
}

/** An email address may be missing, but an existing one cannot be removed. */
const rulesFor = ({ email }: UserDetail) =>
  email === null ? updateUserBody : updateUserBody.extend({ email: personFields.email });

/** Validates by the contract's rules, applied to the body that would be sent. */
export function userRules(stored: UserDetail | undefined): Resolver<UserForm> {
  return (form) => {
    const checked = stored
      ? rulesFor(stored).safeParse(updateBody(form, stored))
      : createUserBody.safeParse(createBody(form));
    const unread = unreadDetails(form);
    if (checked.success && Object.keys(unread).length === 0) return { values: form, errors: {} };
    const errors: FieldErrors<UserForm> = Object.keys(unread).length > 0 ? { details: unread } : {};
    for (const { path, message } of checked.error?.issues ?? []) {
      const name = fieldOf(String(path[0]));
      if (name && name !== "details") errors[name] ??= { type: "contract", message };
    }
    return { values: {}, errors };
  };
}

/** The form's name for a field of the API; undefined if it has none. */
export function fieldOf(name: string): keyof UserForm | undefined {
  if (name === "groupIds") return "groups";
  if (name.startsWith("details.")) return name as keyof UserForm;
  return name in emptyForm ? (name as keyof UserForm) : undefined;
}
