import { upperFirst } from "#contract/text/upper-first.ts";
import type { AuditChange } from "#contract/calls/audit.ts";
import { type Channel, channelMeaning, channels } from "#contract/delivery.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { numberText } from "#contract/text/locale.ts";
import { clockText, weekdays } from "#contract/text/rule-text.ts";
import { formatTime } from "#contract/text/time-text.ts";

/**
 * What a change altered, in the words of the screens. What a value is comes from its field, never from how it looks: a
 * person may be called "2026-99-99".
 */

/** Fields whose name says too little once it is spelled out. */
const labels: Record<string, string> = {
  added_fields: "Extra fields",
  addressConfirmed: "Email confirmed",
  phoneConfirmed: "Phone confirmed",
  audience: "Recipients",
  class: "Urgency",
  content: "Message",
  dayOfMonth: "Day of the month",
  dayOffset: "Days after the date",
  dayOfWeek: "Weekday",
  country: "Country of phone numbers",
  deliveryMonths: "Months of delivery details kept",
  enabled: "In use",
  fieldValues: "Details",
  field_values: "Details",
  homeByHand: "Property and unit corrected by hand",
  importStop: "Import stop in percent of a property",
  imapSecurity: "IMAP encryption",
  propertyUnit: "Property/Unit",
  ratePerSecond: "Messages per second",
  registration: "Open registration",
  requireSpecialChars: "Special characters required",
  sessionTimeout: "Session timeout in minutes",
  passwordExpiry: "Password expiry in days",
  passwordMinLength: "Minimum password length",
  siteEmail: "Site email",
  perHome: "One message per home",
  per_home: "One message per home",
  skipIf: "Skip people whose",
  postalAddress: "Postal address",
  supportEmail: "Support email",
  knowledgeBaseUrl: "Knowledge base",
  supportCallUrl: "Booking link for support calls",
  time: "Start time",
  timeZone: "Time zone",
  weight: "Share",
};

/** Said by another field of the same change. */
const unsaid: readonly string[] = ["audience_text", "formatted", "planned_zone"];

const acronyms = /\b(api|id|ip|sid|sms|smtp|ssl|tls|url|html|csv|vapid|http|https|aws|imap)\b/gi;

/** "fromName" and "from_name" → "From name" */
export function labelOf(field: string): string {
  const words = field
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_.-]+/g, " ")
    .toLowerCase()
    .replaceAll(acronyms, (word) => word.toUpperCase());
  return entryOf(labels, field) ?? upperFirst(words);
}

/** A template's field may be called "constructor". */
const entryOf = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Words that are stored as codes, of fields that hold nothing else. */
const roleNames = { tenant: "Tenant", staff: "Staff", admin: "Administrator" };
const codes: Record<string, Record<string, string>> = {
  role: roleNames,
  roles: roleNames,
  registration: { open: "On", closed: "Off" },
  class: { emergency: "Emergency", transactional: "Personal", general: "General" },
  message_type: { template: "Template", custom: "Custom message" },
  recurrence: {
    daily: "Daily",
    weekly: "Weekly",
    monthly: "Monthly",
    once: "Once",
    "resident-date": "Resident's date",
  },
  residentDate: { "move-in": "Move-in date", "move-out": "Move-out date", "lease-end": "Lease end" },
};

/** Longer texts are not shown: of two long ones the beginnings say nothing about what differs. */
const LONGEST = 160;

/** What is stored as before and after: `{ "email": ["a@x.org", "b@x.org"] }`. */
export function changesIn(stored: unknown, zone: string): AuditChange[] {
  return Object.entries(isObject(stored) ? stored : {})
    .filter(([field]) => !unsaid.includes(field))
    .flatMap(([field, pair]) => (Array.isArray(pair) ? changesOf(field, pair, zone) : []));
}

function changesOf(field: string, [before, after]: unknown[], zone: string): AuditChange[] {
  // An account's settings and a person's details are objects of their own, which are compared field by field.
  if (field === "settings" || field === "details") return changesIn(pairsOf(before, after), zone);
  const label = labelOf(field.replace(/_?[Ii]ds?$/, ""));
  const [was, is] = [before, after].map((value) => textOf(field, value, zone));
  const shown = was !== undefined && is !== undefined && was.length <= LONGEST && is.length <= LONGEST;
  // A number that names something else says nothing to a reader.
  if (/_?[Ii]ds?$/.test(field) || !shown || was === is) return [{ label, before: null, after: null }];
  return [{ label, before: was, after: is }];
}

function pairsOf(before: unknown, after: unknown): Record<string, [unknown, unknown]> {
  const [was, is] = [before, after].map((one) => (isObject(one) ? one : {})) as [Stored, Stored];
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
      .map((field) => [field, [was[field], is[field]]]),
  );
}

export type Stored = Record<string, unknown>;
const isObject = (value: unknown): value is Stored =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Days and times, which no one types. */
const whens: Record<string, (value: string, zone: string) => string> = {
  scheduled_time: (value, zone) => formatTime(new Date(value), zone),
  date: (value) => dayText(value),
  time: clockText,
  endTime: clockText,
};

/** Texts by names that people chose. */
const typed: readonly string[] = ["fieldValues", "field_values"];

/** A value in words; undefined if there are none for it. */
function textOf(field: string, value: unknown, zone: string): string | undefined {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean")
    return yesNo.includes(field) ? (value ? "Yes" : "No") : value ? "On" : "Off";
  if (typeof value === "number") {
    if (/port$/i.test(field)) return String(value);
    return field === "dayOfWeek" ? (weekdays[value] ?? String(value)) : numberText(value);
  }
  if (typeof value === "string") return wordOf(field, value, zone);
  if (Array.isArray(value)) {
    const all = value.map((one) => textOf(field, one, zone));
    if (all.length === 0) return "none";
    return all.every((one) => one !== undefined) ? all.join(", ") : undefined;
  }
  if (!isObject(value)) return undefined;
  if (typed.includes(field)) return typedText(value, zone);
  return typeof value["name"] === "string" ? value["name"] : entriesText(value, zone);
}

const yesNo: readonly string[] = ["addressConfirmed", "phoneConfirmed", "homeByHand"];

function wordOf(field: string, value: string, zone: string): string {
  const word = entryOf(entryOf(codes, field) ?? {}, value);
  if (word !== undefined) return word;
  if (field.startsWith("channel") && isChannel(value)) return channelMeaning[value].label;
  return entryOf(whens, field)?.(value, zone) ?? value;
}

/** A value is a text, or a date relative to the run. */
function typedText(values: Stored, zone: string): string | undefined {
  const texts = Object.entries(values).map(([name, value]) => {
    const text = typeof value === "string" ? value : textOf("", value, zone);
    return text && `${labelOf(name)}: ${text}`;
  });
  if (texts.length === 0) return "none";
  return texts.every((text) => text !== undefined) ? texts.filter(Boolean).join(", ") : undefined;
}

export const isChannel = (value: unknown): value is Channel =>
  (channels as readonly unknown[]).includes(value);

function entriesText(value: Stored, zone: string): string | undefined {
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== "");
  if (entries.length === 0) return "none";
  const texts = entries.map(([field, one]) => {
    const text = textOf(field, one, zone);
    return text === undefined ? undefined : `${labelOf(field)}: ${text}`;
  });
  return texts.every((text) => text !== undefined) ? texts.join(", ") : undefined;
}
