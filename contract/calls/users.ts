import * as z from "zod";
import { currentUser, newPassword, type Role, roles } from "#contract/calls/auth.ts";
import { roleIn } from "#contract/text/role-name.ts";
import { endpoint } from "#contract/endpoint.ts";
import { standings } from "#contract/homes.ts";
import { type Channel, channelMeaning, channels, linkChannels } from "#contract/delivery.ts";
import { delivery } from "#contract/calls/deliveries.ts";
import {
  bestFirst,
  emails,
  id,
  idParams,
  instant,
  line,
  minKey,
  orNone,
  page,
  requiredLine,
} from "#contract/fields.ts";
import { DETAIL_TEXT_MAX } from "#contract/text/kept-details.ts";
import { request, suppressionKinds } from "#contract/calls/suppressions.ts";

/** What each field of a person accepts, in forms and imports. */
export const personFields = {
  username: minKey("Username", 3, 64, "Username must be at least 3 characters"),
  /** The first one counts. The others are kept among the person's other contacts. */
  email: emails("Invalid email address"),
  firstName: requiredLine("First name", 100, "First name is required"),
  lastName: requiredLine("Last name", 100, "Last name is required"),
  /** One of the three roles, also as spelled in files. Any other text means a tenant. */
  role: z.union(
    [
      z.enum(roles),
      z
        .string()
        .regex(/\S/)
        .transform((text): Role => roleIn(text) ?? "tenant"),
    ],
    { error: "Role is required" },
  ),
  propertyUnit: line("Property/Unit", 200),
};

/** The API's names for a person's channel preferences: receiveEmail, receiveSms, receivePush. */
export const preferenceField = Object.fromEntries(
  channels.map((channel) => [channel, `receive${channel.slice(0, 1).toUpperCase()}${channel.slice(1)}`]),
) as { [C in Channel]: `receive${Capitalize<C>}` };
type PreferenceField = (typeof preferenceField)[Channel];
/** A person's preference for every channel. */
export type Preferences = Record<PreferenceField, boolean>;

/** An entry for each channel, under the API's name. */
export function perPreference<Entry>(entry: (channel: Channel) => Entry): Record<PreferenceField, Entry> {
  return Object.fromEntries(channels.map((channel) => [preferenceField[channel], entry(channel)])) as Record<
    PreferenceField,
    Entry
  >;
}

/** A person in lists and pickers. */
export const user = currentUser.extend({
  /** E.164. */
  phone: z.string().nullable(),
  /** As it was entered. */
  propertyUnit: z.string().nullable(),
  /** Recognized inside propertyUnit, or corrected by hand. */
  property: z.string().nullable(),
  unit: z.string().nullable(),
  /** Whether they have moved out, live there, or move in later. Without a home: now. */
  standing: z.enum(standings),
  ...perPreference(() => z.boolean()),
});
export type User = z.output<typeof user>;

/** One change of a preference: who changed it, how, and when. */
export const consentChange = z.object({
  channel: z.enum(channels),
  allowed: z.boolean(),
  source: z.string(),
  /** The source as text: "One-click unsubscribe in an email". */
  sentence: z.string(),
  at: instant,
});
export type ConsentChange = z.output<typeof consentChange>;

/** Everything about one person. */
const userDetail = user.extend({
  /** The person's other numbers (E.164) and addresses, with their labels: "Home: +13125550100, ann@example.com". */
  otherContacts: z.string(),
  /** What else is kept of them, by the detail's field: a decimal ("12.50"), a day (yyyy-MM-dd), or a text. */
  details: z.record(z.string(), z.string()),
  groups: z.array(z.object({ id: z.number(), name: z.string(), byRule: z.boolean() })),
  /** A password is set, so they can sign in. */
  hasPassword: z.boolean(),
  /** Signs in with a second factor. */
  twoFactor: z.boolean(),
  /** False: they entered their email address themselves and have not confirmed it, so we don't use it. */
  addressConfirmed: z.boolean(),
  /** The same of their phone number. */
  phoneConfirmed: z.boolean(),
  /** They registered and have not confirmed any address, so they are in no rule-based group. */
  stranger: z.boolean(),
  lastSeenAt: instant.nullable(),
  /** "2025-03": what was sent to them up to then may be archived; null: none of it is. */
  archivedThrough: z.string().nullable(),
  createdAt: instant,
  updatedAt: instant,
  /** Newest first. */
  consents: z.array(consentChange),
  /** Addresses of this person that must not be used, and why. */
  suppressions: z.array(
    z.object({
      channel: z.enum(channels),
      address: z.string(),
      kind: z.enum(suppressionKinds),
      reason: z.string(),
      /** Its recipient wants nothing there, whatever else blocks it. */
      optedOut: z.boolean(),
      /** A text that only sounds like STOP, until staff confirm or lift it. */
      words: z.string().nullable(),
      at: instant,
    }),
  ),
});
export type UserDetail = z.output<typeof userDetail>;

/** Only empty for someone without one, who can come from an import. */
export const emailOrNone = orNone(personFields.email.or(z.literal("")));
/** In any common form; of several, a mobile phone's counts, otherwise the first. */
export const phoneText = orNone(line("Phone", 500));
const otherContactsText = orNone(line("Other contacts", 1000));
const propertyUnitText = orNone(personFields.propertyUnit);

const detailValues = z.record(
  z.string(),
  z.union([line("A detail", DETAIL_TEXT_MAX), z.number().transform(String), z.null().transform(() => "")]),
);

const common = {
  ...personFields,
  /** Stored as E.164. Empty: none. */
  phone: phoneText.default(""),
  /**
   * Other numbers and addresses: "Home: +13125550100, ann@example.com". Messages don't go to them. If left out, they stay, and
   * those that the fields above contain are added.
   */
  otherContacts: otherContactsText.optional(),
  propertyUnit: propertyUnitText.default(""),
  /**
   * Corrects what was recognized inside propertyUnit; empty means none. A correction lasts until propertyUnit changes.
   * Sent back unchanged with a new propertyUnit, it is ignored.
   */
  property: orNone(line("Property", 200)).optional(),
  unit: orNone(line("Unit", 100)).optional(),
  role: personFields.role.default("tenant"),
  ...perPreference((channel) => z.boolean().default(channelMeaning[channel].onByDefault)),
  /**
   * Who asked to turn on again what they, or someone else with their address, had turned off, how and when. Without it,
   * a new address that was opted out of stays so, and turning on a channel of someone on file is refused.
   */
  consentRequest: request.optional(),
  /** By the detail's field: { "balance": "12.50" }. Those that are left out stay, and null or "" removes one. */
  details: detailValues.optional(),
  /** Hand-picked groups; undefined leaves them as they are. */
  groupIds: z.array(id).max(200).optional(),
};

/** A password, which is optional with "Send credentials": then the person sets one through a link. */
export const createUserBody = z
  .object({
    ...common,
    password: newPassword.or(z.literal("")).optional(),
    sendCredentials: z.boolean().optional(),
  })
  .refine((body) => body.sendCredentials === true || (body.password ?? "") !== "", {
    path: ["password"],
    message: "Password must be at least 8 characters",
  });

/** Fields that are left out keep their values, above all channel preferences. A blank password changes nothing. */
export const updateUserBody = z.object({
  ...common,
  email: emailOrNone,
  role: personFields.role,
  phone: phoneText.optional(),
  propertyUnit: propertyUnitText.optional(),
  /**
   * What another home means: they moved today, which can be undone, or have lived there all along. Left out: they moved.
   * A home that only gets its unit, or another spelling, is a correction in any case.
   */
  homeChange: z.enum(["moved", "corrected"]).optional(),
  ...perPreference(() => z.boolean().optional()),
  /** Addresses on file that they entered themselves, and that you know to be theirs. A new one that you enter is used anyway. */
  vouchFor: z
    .array(z.enum(["email", "phone"]))
    .max(2)
    .optional(),
  /** Only for administrators, and not for themselves: the profile changes your own. */
  password: newPassword.or(z.literal("")).optional(),
  sendCredentials: z.boolean().optional(),
  /** Your own password, needed to change your own email address or phone number. */
  currentPassword: z.string({ error: "Enter your current password" }).max(1024).optional(),
  /** From when the form was opened, so that it does not overwrite someone else's change. */
  updatedAt: instant.optional(),
});

/**
 * The saved person, and the outcome of `sendCredentials`; null if it was not requested. `waits`: a message is
 * there for an account to take once that works.
 */
const savedUser = userDetail.extend({
  credentials: z.object({ sent: z.boolean(), waits: z.boolean(), message: z.string() }).nullable(),
});
export type SavedUser = z.output<typeof savedUser>;

/** What staff should know before they give someone this address. */
const addressNote = z.object({
  /** How its recipient opted out of it; null: they haven't. Messages to it stop for everyone who has it. */
  optedOut: z.string().nullable(),
  /** Others who have it: the first few by name, and how many. */
  people: z.array(z.object({ id: z.number(), name: z.string() })),
  peopleTotal: z.number(),
});
export type AddressNote = z.output<typeof addressNote>;

export const reachability = [...channels, "nothing"] as const;
export const userSorts = ["name", "role", "property", "newest"] as const;

export const users = {
  list: endpoint({
    method: "GET",
    path: "/api/users",
    access: "people:read",
    summary: "People by last name. q searches name, username, email, phone and home",
    query: z.object({
      q: line("Search", 200).optional(),
      role: z.enum(roles).optional(),
      property: line("Property", 200).optional(),
      groupId: id.optional(),
      /** People who can currently be reached on this channel; "nothing": on none. */
      reachable: z.enum(reachability).optional(),
      /** People whose home is over, is theirs now or is still to come. Without a home: now. */
      lives: z.enum(standings).optional(),
      sort: z.enum(userSorts, { error: `Sort by ${userSorts.join(", ")}` }).default("name"),
      direction: z.enum(["asc", "desc"], { error: "A direction must be asc or desc" }).default("asc"),
      /** Only from three letters on: before that, too many people match. */
      bestFirst,
      ...page,
    }),
    answer: "list",
    reply: z.array(user),
  }),
  detail: endpoint({
    method: "GET",
    path: "/api/users/{id}",
    access: "people:read",
    summary: "One person: details, groups, preferences and where each change came from",
    params: idParams,
    reply: userDetail,
  }),
  addresses: endpoint({
    method: "GET",
    path: "/api/addresses",
    access: "people:read",
    summary:
      "Whether an email address and a phone number were opted out of, and who else has them; null for one that isn't valid",
    query: z.object({
      email: line("Email", 254).optional(),
      phone: line("Phone", 50).optional(),
      /** Whose addresses they are: not one of the others. */
      exceptId: id.optional(),
    }),
    reply: z.object({ email: addressNote.nullable(), phone: addressNote.nullable() }),
  }),
  proposeUsername: endpoint({
    method: "GET",
    path: "/api/usernames",
    access: "people:write",
    summary: "A username that no one has, made of a name as an import makes it",
    query: z.object({
      firstName: line("First name", 100).default(""),
      lastName: line("Last name", 100).default(""),
    }),
    reply: z.object({ username: z.string() }),
  }),
  deliveries: endpoint({
    method: "GET",
    path: "/api/users/{id}/deliveries",
    access: "people:read",
    summary: "Everything that was sent to this person, newest first, with its outcome",
    params: idParams,
    query: z.object({ ...page }),
    answer: "list",
    reply: z.array(delivery.extend({ notificationId: z.number(), title: z.string(), at: instant })),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/users",
    access: "people:write",
    summary:
      "Create a person. They need a password, or sendCredentials, which sends a link to set one. Only an administrator can make someone an administrator. With sendCredentials, the link is sent, too. The person is saved even if that fails",
    body: createUserBody,
    status: 201,
    reply: savedUser,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/users/{id}",
    access: "people:write",
    summary: "Change a person. Only an administrator can change an administrator",
    params: idParams,
    body: updateUserBody,
    reply: savedUser,
  }),
  /** A 409 lists what is scheduled for the person in its fields: "scheduled.12": "Rent reminder". */
  remove: endpoint({
    method: "DELETE",
    path: "/api/users/{id}",
    access: "people:write",
    summary:
      "Delete a person. What was sent to them stays on record. If something scheduled names them, 409 lists it. detach=true deletes them anyway",
    params: idParams,
    query: z.object({ detach: z.stringbool().default(false) }),
    reply: z.object({ message: z.string() }),
  }),
  sendCredentials: endpoint({
    method: "POST",
    path: "/api/notifications/send-credentials",
    access: "people:write",
    summary:
      "Send a one-time link to set a password, valid for 24 hours. A repeat within a minute sends nothing",
    body: z.object({
      userId: id,
      channels: z
        .array(z.enum(linkChannels, { error: `A channel must be ${linkChannels.join(" or ")}` }), {
          error: "At least one channel is required",
        })
        .min(1, "At least one channel is required"),
    }),
    /** `sent`: false while no account takes it: it `waits` for one that will, or stays in the Sandbox. */
    reply: z.object({
      sent: z.boolean(),
      waits: z.boolean(),
      message: z.string(),
      channels: z.array(z.enum(linkChannels)),
    }),
  }),
  syncGroups: endpoint({
    method: "POST",
    path: "/api/users/sync-groups",
    access: "people:write",
    summary: "Recompute the built-in groups and report what changed",
    reply: z.object({
      created: z.array(z.string()),
      removed: z.array(z.string()),
      message: z.string(),
    }),
  }),
  properties: endpoint({
    method: "GET",
    path: "/api/properties",
    access: "people:read",
    summary: "Properties with the number of people in each, by name",
    query: z.object({ q: line("Search", 200).optional(), ...page }),
    answer: "list",
    reply: z.array(z.object({ name: z.string(), people: z.number() })),
  }),
};
