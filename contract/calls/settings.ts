import * as z from "zod";
import { MEGABYTE } from "#contract/calls/attachments.ts";
import { countries } from "#contract/text/countries.ts";
import type { Channel } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";
import { currentZone } from "#contract/text/time-zones.ts";
import { email, line, requiredLine, text } from "#contract/fields.ts";
import { numberText } from "#contract/text/locale.ts";

export const LOGO_MAX = 2 * MEGABYTE;

/** Receipts come for up to a month, and people retry what failed. */
const FEWEST_MONTHS = 3;

/**
 * A zone that Temporal and PostgreSQL understand the same way. PostgreSQL reads the sign of an offset like +05:00 the
 * other way round, and Intl accepts names that neither knows. A renamed zone is stored by the name it has today.
 */
export const timeZone = requiredLine("Timezone", 64, "Timezone is required")
  .overwrite(currentZone)
  .refine((zone) => {
    try {
      return !/^[+-]/.test(zone) && Temporal.Now.zonedDateTimeISO(zone).timeZoneId !== "";
    } catch {
      return false;
    }
  }, "This is not a time zone. Use one like America/New_York");

// Base64 is a third longer than the bytes it carries.
const logo = z
  .string({ error: "Please upload a JPG or PNG image." })
  .max(Math.ceil((LOGO_MAX * 4) / 3) + 64, "Please upload an image smaller than 2MB.")
  .regex(/^$|^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+=*$/, "Please upload a JPG or PNG image.");

/** `tooSmall` is also the error if it isn't a number. */
const wholeNumber = (label: string, from: number, to: number, tooSmall: string) =>
  z
    .number({ error: tooSmall })
    .min(from, tooSmall)
    .max(to, `${label} can't be more than ${numberText(to)}`)
    .int(`${label} must be a whole number`);

/** Text that goes out as it is written: a field in it would reach its reader as braces. */
function withoutFields(schema: z.ZodType<string, string>) {
  return schema.refine((value) => !value.includes("{{"), "Fields like {{first_name}} can't be used here");
}

/** An address in the web, or empty. Only the schemes that open a page, because everyone's Help links to it. */
const webAddress = (label: string) => {
  const sentence = `${label} must be an address that begins with https://`;
  return line(label, 500).pipe(z.literal("").or(z.url({ protocol: /^https?$/, error: sentence })));
};

/** Every setting: its type and what it accepts, its default, who may read it. */
export const settingTable = {
  companyLogo: { schema: logo, default: "", read: "signed-in", dataType: "base64" },
  siteName: {
    schema: requiredLine("Site name", 100, "Site name is required"),
    default: "Porchlight",
    read: "signed-in",
    dataType: "string",
  },
  siteEmail: {
    schema: z.literal("").or(email("Invalid email address")),
    default: "",
    read: "settings:read",
    dataType: "string",
  },
  /** Where the organization is, at the end of each email; empty leaves it out. */
  postalAddress: {
    schema: withoutFields(text("Postal address", 300)),
    default: "",
    read: "settings:read",
    dataType: "string",
  },
  timezone: { schema: timeZone, default: "America/New_York", read: "signed-in", dataType: "string" },
  /** Where people who work with Porchlight find help. Help shows what is filled in. */
  supportEmail: {
    schema: z.literal("").or(email("Invalid email address")),
    default: "",
    read: "settings:read",
    dataType: "string",
  },
  knowledgeBaseUrl: {
    schema: webAddress("Knowledge base"),
    default: "",
    read: "settings:read",
    dataType: "string",
  },
  supportCallUrl: {
    schema: webAddress("Booking link"),
    default: "",
    read: "settings:read",
    dataType: "string",
  },
  /** ISO code of the country whose phone numbers are written without a country code; empty: the time zone's. */
  country: {
    schema: z.enum(["", ...countries], { error: "Choose a country" }),
    default: "",
    read: "signed-in",
    dataType: "string",
  },
  /** Of an email from an email template that has no subject. */
  defaultEmailSubject: {
    schema: withoutFields(requiredLine("Default email subject", 200, "Default email subject is required")),
    default: "Notification from Porchlight",
    read: "settings:read",
    dataType: "string",
  },
  /** Begins every text message, with a space after it. */
  defaultSmsPrefix: {
    schema: withoutFields(line("SMS prefix", 40)),
    default: "",
    read: "settings:read",
    dataType: "string",
  },
  emailFooter: {
    schema: withoutFields(text("Email footer", 1000)),
    default: "Sent with Porchlight",
    read: "settings:read",
    dataType: "string",
  },
  emailSignature: {
    schema: withoutFields(text("Email signature", 1000)),
    default: "",
    read: "settings:read",
    dataType: "string",
  },
  /** Of emails through SMTP accounts; the other providers have tracking of their own. */
  trackOpens: { schema: z.boolean(), default: false, read: "settings:read", dataType: "boolean" },
  trackClicks: { schema: z.boolean(), default: false, read: "settings:read", dataType: "boolean" },
  enableEmail: { schema: z.boolean(), default: true, read: "settings:read", dataType: "boolean" },
  enableSms: { schema: z.boolean(), default: true, read: "settings:read", dataType: "boolean" },
  enablePush: { schema: z.boolean(), default: true, read: "settings:read", dataType: "boolean" },
  /** An import that moves out more of a property's people, in percent, has to be confirmed twice. */
  importStop: {
    schema: wholeNumber("Import stop", 0, 100, "Import stop must be 0 to 100"),
    default: 10,
    read: "settings:read",
    dataType: "number",
  },
  registration: {
    schema: z.enum(["closed", "open"]),
    default: "closed",
    read: "settings:read",
    dataType: "string",
  },
  passwordMinLength: {
    schema: wholeNumber(
      "Minimum password length",
      8,
      128,
      "Minimum password length must be at least 8 characters",
    ),
    default: 8,
    read: "settings:read",
    dataType: "number",
  },
  /** Days after which a password has to be changed at the next sign-in; 0: never. */
  passwordExpiry: {
    schema: wholeNumber("Password expiry", 0, 36_500, "Password expiry must be a positive number"),
    default: 90,
    read: "settings:read",
    dataType: "number",
  },
  requireSpecialChars: { schema: z.boolean(), default: true, read: "settings:read", dataType: "boolean" },
  /** Administrators need a second factor to sign in. Everyone may use one. */
  enableTwoFactor: { schema: z.boolean(), default: false, read: "settings:read", dataType: "boolean" },
  /** Minutes without a request after which a session ends. */
  sessionTimeout: {
    schema: wholeNumber("Session timeout", 5, 999_999, "Session timeout must be at least 5 minutes"),
    default: 30,
    read: "settings:read",
    dataType: "number",
  },
  /** After how many whole months who got what is moved from the database to files; 0: never. */
  deliveryMonths: {
    schema: wholeNumber("Keep delivery details", 0, 1200, "Keep delivery details must be 0 or more").refine(
      (months) => months === 0 || months >= FEWEST_MONTHS,
      `Keep at least ${FEWEST_MONTHS} months, or 0 for everything. Late bounces and retries need them`,
    ),
    default: 0,
    read: "settings:read",
    dataType: "number",
  },
} as const;

type Table = typeof settingTable;
export type SettingKey = keyof Table;
export const settingKeys = Object.keys(settingTable) as [SettingKey, ...SettingKey[]];
export type Settings = { [Key in SettingKey]: z.output<Table[Key]["schema"]> };

/** Whether anything is sent on a channel. */
export const channelSwitch = {
  email: "enableEmail",
  sms: "enableSms",
  push: "enablePush",
} as const satisfies Record<Channel, SettingKey>;

const dataTypes = ["string", "number", "boolean", "base64"] as const;

/** Every setting by its key. A form of some of them picks its own from here. */
export const settingFields = z.strictObject(
  Object.fromEntries(settingKeys.map((key) => [key, settingTable[key].schema])) as {
    [Key in SettingKey]: Table[Key]["schema"];
  },
);

/** The logo is as long as a file, so it is read separately. */
const settingList = settingFields.omit({ companyLogo: true }).extend({
  /** People's own devices reach this server. Without that, nothing is tracked, whatever the settings say. */
  publicAddress: z.boolean(),
  /** The release of the time zone data that schedules follow, such as 2025c. */
  timeZoneData: z.string(),
});

const value = z.union([z.string(), z.number(), z.boolean()], {
  error: "A value must be text, a number, or true or false",
});
const oneSetting = z.object({ key: z.enum(settingKeys), value, dataType: z.enum(dataTypes) });

/** Stands for the organization's name in a sample letter. */
export const ORGANIZATION = "⟦organization⟧";

const letter = z.object({ subject: z.string(), html: z.string(), text: z.string() });
export type SampleLetter = z.output<typeof letter>;

export const settings = {
  list: endpoint({
    method: "GET",
    path: "/api/settings",
    access: "settings:read",
    summary: "Every setting but the logo",
    reply: settingList,
  }),
  saveAll: endpoint({
    method: "PUT",
    path: "/api/settings",
    access: "settings:write",
    summary: "Store some settings: all of them, or none if one is not valid",
    body: settingFields.partial().extend({
      /** What the changed ones were when their change was begun. If one is something else by now, none is stored. */
      before: settingList.partial().optional(),
    }),
    bodyLimit: 3 * MEGABYTE,
    reply: settingList,
  }),
  letter: endpoint({
    method: "GET",
    path: "/api/settings/letter",
    access: "settings:write",
    summary: `How tenants see an email and a text message, with ${ORGANIZATION} for the organization's name`,
    query: z.object({
      /** With a placeholder for a logo. */
      logo: z.literal("true").optional(),
    }),
    reply: letter,
  }),
  value: endpoint({
    method: "GET",
    path: "/api/settings/value/{key}",
    access: "signed-in",
    summary: "One setting",
    params: z.object({ key: z.enum(settingKeys, { error: "There is no such setting" }) }),
    reply: oneSetting,
  }),
  country: endpoint({
    method: "GET",
    path: "/api/settings/country",
    access: "settings:write",
    summary:
      "Numbers on file that would be read as others if they were entered with this country chosen. They stay as they are. Empty: the time zone's country",
    query: z.object({
      country: settingTable.country.schema,
      /** Of an empty country; the stored one if it is left out. */
      timezone: timeZone.optional(),
    }),
    reply: z.object({
      /** The country that numbers would belong to, an ISO code. */
      country: z.string(),
      example: z.string(),
      total: z.number(),
      /** The first 100, by name. */
      first: z.array(
        z.object({
          userId: z.number(),
          name: z.string(),
          /** E.164. */
          phone: z.string(),
          wouldBe: z.string(),
        }),
      ),
    }),
  }),
  save: endpoint({
    method: "POST",
    path: "/api/settings",
    access: "settings:write",
    summary: "Store one setting. Its value may be written as text, whatever its type",
    body: z.object({
      key: z.enum(settingKeys, { error: "There is no such setting" }),
      value,
      dataType: z.string().optional(),
    }),
    bodyLimit: 3 * MEGABYTE,
    reply: oneSetting,
  }),
};
