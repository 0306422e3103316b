import * as z from "zod";
import { attachment, attachmentRefs } from "#contract/calls/attachments.ts";
import { detailCondition } from "#contract/calls/detail-conditions.ts";
import { building, floors, sorted, stacks } from "#contract/calls/home-fields.ts";
import { channels, messageClasses } from "#contract/delivery.ts";
import { relativeDate } from "#contract/text/relative-date.ts";
import { clockTime, id, requiredLine, text, wholeNumber } from "#contract/fields.ts";
import { type RecipientType, recipientTypes, refOf, type ValuedRecipient } from "#contract/recipients.ts";

/** The fields of a notification's forms, calls and replies. */

export const TITLE_MAX = 200;
export const MESSAGE_MAX = 50_000;

export const noRecipients = "Recipients are required";
const NAMED_MAX = 500;
const NAME_MAX = 200;
/** Homes that one recipient can list. */
const HOMES_MAX = 1000;
/** What homes of a property have in common: all of what is given. Floors are numbers, so 1 isn't 10. */
const homesWhere = {
  /** As the homes have it; empty: those that are in no building. */
  building: building.optional(),
  floors: floors.optional(),
  stacks: stacks.optional(),
  /** Ids of homes. */
  units: z.array(id).min(1).max(HOMES_MAX).transform(sorted).optional(),
};

const named = { type: z.enum(recipientTypes), id, name: z.string().optional(), ...homesWhere };
const asRecipient: z.core.$ZodObjectParams = {
  error: ({ code }) => (code === "unrecognized_keys" ? undefined : "A recipient must be { type, id }"),
};
type Where = { type: RecipientType; building?: unknown; floors?: unknown; stacks?: unknown; units?: unknown };
const onlyHomesHave = ({ type, building: tower, floors: levels, stacks: lines, units }: Where) =>
  type === "homes" || [tower, levels, lines, units].every((one) => one === undefined);
const onlyHomes = "Only homes have a building, floors, stacks and units";

/**
 * A group or person as replies list it, homes of the property with this id (whoever lives there when it is sent), or the
 * file with this id (whoever has a value in it). Its name is ignored.
 */
export const recipientRef = z
  .strictObject(named, asRecipient)
  .refine(onlyHomesHave, onlyHomes)
  .transform(refOf);

/** Values for the fields that the sender fills in, by field name, ignoring case as in the text. */
export const fieldValues = z.record(
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "A field name can have letters, digits and underscores")
    .toLowerCase(),
  text("The value", 1000),
);

/** The same, and what the message has for a person alone. */
export const valuedRecipient = z
  .strictObject({ ...named, values: fieldValues.optional() }, asRecipient)
  .refine(onlyHomesHave, onlyHomes)
  .refine(({ type, values }) => type === "user" || values === undefined, "Only a person has values")
  .transform(({ values, ...one }): ValuedRecipient => ({ ...refOf(one), ...(values && { values }) }));

const recipientsUpTo = <Ref extends typeof recipientRef | typeof valuedRecipient>(
  ref: Ref,
  nameMax: number,
  least: 0 | 1,
) => {
  const recipient = z.union([requiredLine("A recipient's name", nameMax, noRecipients), ref], {
    error: "A recipient must be a group's name, a person's full name, or { type, id }",
  });
  return z.preprocess(
    (value) => (typeof value !== "string" ? value : value === "" && least === 0 ? [] : [value]),
    z
      .array(recipient, { error: noRecipients })
      .min(least, noRecipients)
      .max(NAMED_MAX, `You can name up to ${NAMED_MAX} recipients. For more, use a group`),
  );
};

/**
 * The recipients: one name, or a list of names and { type, id }. A name is a group's name, a full name,
 * "All Tenants", "All Staff" or "Everyone". A person as { type, id } may have values of their own. Unknown and ambiguous names answer 422 with the choices.
 */
export const recipients = recipientsUpTo(valuedRecipient, NAME_MAX, 1);
/** The same, but a draft may have none. */
export const draftRecipients = recipientsUpTo(valuedRecipient, NAME_MAX, 0);
const LISTED_MAX = NAMED_MAX * (NAME_MAX + 2);
/** The same, or the text that lists them in replies, which leaves them as they are. */
export const changedRecipients = recipientsUpTo(valuedRecipient, LISTED_MAX, 0);
/** Of what repeats, for which no one has values of their own. */
export const scheduleRecipients = recipientsUpTo(recipientRef, NAME_MAX, 1);
export const changedScheduleRecipients = recipientsUpTo(recipientRef, LISTED_MAX, 0);

export const title = requiredLine("Title", TITLE_MAX, "Title is required");
export const noChannels = "At least one channel is required";
/** May be empty, for a draft. */
export const draftChannels = z
  .preprocess(
    (value) =>
      Array.isArray(value) ? value.map((c: unknown) => (typeof c === "string" ? c.toLowerCase() : c)) : value,
    z.array(z.enum(channels, { error: "A channel must be email, sms or push" }), {
      error: noChannels,
    }),
  )
  .transform((list) => channels.filter((channel) => list.includes(channel)));
export const channelList = draftChannels.refine((list) => list.length > 0, noChannels);

/** A template by its id or its slug. */
export const templateRef = z.union([id, requiredLine("A template's name", 100, "Choose a template")], {
  error: "Choose a template by its id or name",
});

/** Send it although the same message went out with the same values within a day (409 already-sent). */
const again = z.boolean({ error: "again must be true or false" }).optional();
const perHome = z.boolean({ error: "perHome must be true or false" }).optional();

export const extras = {
  /**
   * Created once per dialog. The server accepts a key once, answers the same call with the same notification again, and
   * refuses any other call with that key (409 already-taken).
   */
  clientKey: requiredLine("Client key", 100, "A client key must not be empty").optional(),
  templateId: templateRef.optional(),
  /**
   * The template's version that the sender has read. If it isn't the current one, nothing is sent or saved (409
   * conflict).
   */
  templateVersion: wholeNumber(
    1,
    1_000_000_000,
    "A template's version must be a whole number, starting at 1",
  ).optional(),
  fieldValues: fieldValues.default({}),
  attachments: attachmentRefs.default([]),
  class: z.enum(messageClasses).optional(),
  /** Of a text without a template: its bold, italic, links and lists are formatting, as an email template's are. */
  formatted: z.boolean({ error: "Formatted must be true or false" }).optional(),
  /** One person in each home gets it on each channel: a leaseholder, or else someone there who can be reached. */
  perHome,
  /** A file with a value for each person (POST /api/values). Who has none for a field that it fills is left out. */
  valuesId: id.nullish(),
  again,
};

/** The same for an update: fields that are left out keep their values. With a null template, the content is used as it is. */
export const changedExtras = {
  templateId: templateRef.nullish(),
  attachments: attachmentRefs.optional(),
  class: extras.class,
  formatted: extras.formatted,
  perHome,
  /** Null: the message has no values of its own. */
  valuesId: id.nullish(),
  again,
};

type WithValues = {
  recipients?: readonly (string | { values?: object | undefined })[] | undefined;
  valuesId?: number | null | undefined;
};
/** A file would be ignored otherwise. */
export const hasOneSource = ({ recipients: named = [], valuesId }: WithValues) =>
  typeof valuesId !== "number" || named.every((one) => typeof one === "string" || one.values === undefined);
export const oneSource = {
  path: ["valuesId"],
  message: "Values come with the recipients or from a file, not both",
};

export const messageSentence = "Either template or custom message is required";
export const message = text("Message", MESSAGE_MAX);

type TemplateOrText = { templateId?: string | number | undefined; message?: string; content?: string };
export const hasMessage = (body: TemplateOrText) =>
  body.templateId !== undefined || (body.message ?? body.content ?? "").trim() !== "";

export const recurrences = ["daily", "weekly", "monthly"] as const;
const recurringDaySentence = "The day must be 0 (Sunday) to 6 (Saturday) for weekly, or 1 to 31 for monthly";

/**
 * When a recurring notification is sent: `recurringDay` is 0 (Sunday) to 6 for weekly, 1 to 31 for monthly. The defaults
 * are the same as in the form: daily, day 1, 09:00.
 */
export const recurring = {
  recurrence: z.enum(recurrences, { error: "Recurrence must be daily, weekly or monthly" }).optional(),
  recurringDay: wholeNumber(0, 31, recurringDaySentence).optional(),
  recurringTime: clockTime.optional(),
};

// With an offset it is an instant, without one a local time in the organization's zone.
export const scheduledTime = z.iso.datetime({
  offset: true,
  local: true,
  error: "Enter a scheduled time like 2026-11-25T09:00:00-05:00",
});

/** One chosen group or person, or homes of a property; `name` is what was shown when it was chosen. */
export const audienceMember = z.object({
  type: z.enum(recipientTypes),
  id: z.number(),
  name: z.string(),
  building: z.string().optional(),
  floors: z.array(z.number()).optional(),
  stacks: z.array(z.string()).optional(),
  units: z.array(z.number()).optional(),
});

/** What forms and replies say of a message's values. */
export const valuesSummary = z.object({
  id: z.number(),
  /** The file's name; empty: they came with the call. */
  name: z.string(),
  /** People who have a value. */
  people: z.number(),
  /** The fields that it fills. */
  fields: z.array(z.string()),
});
export type ValuesSummary = z.output<typeof valuesSummary>;

/** The fields of a message, with the same names in every form. */
export const messageForm = z.object({
  title,
  messageType: z.enum(["template", "custom"]),
  templateId: z.string(),
  customMessage: message,
  /** The custom message is formatted text, as an email template's. Left out where it can't be. */
  formatted: z.boolean().optional(),
  /** What goes with a template's text that is edited here; `version` if the template was chosen here. */
  ownTemplate: z
    .object({ subject: z.string(), formatted: z.boolean(), version: z.number().optional() })
    .optional(),
  fieldValues: z.record(z.string(), z.string()),
  /** Used instead of a value in a recurring message, and calculated for each run. */
  relativeDates: z.record(z.string(), relativeDate),
  recipientType: z.enum(["groups", "individuals", "homes"]),
  recipients: z.array(audienceMember),
  /** The file with a value for each person. */
  ownValues: valuesSummary.nullable().default(null),
  /** One message for each home. */
  perHome: z.boolean().default(false),
  /** Of a schedule: whom its runs leave out. */
  skipIf: detailCondition.nullish(),
  channels: z.array(z.enum(channels)),
  attachments: z.array(attachment),
  /** Null: as its template says. */
  highPriority: z.boolean().nullable(),
  /** Of the message that a custom one was copied or made from. */
  sourceClass: z.enum(messageClasses).optional(),
});

/** A message as replies show it. */
export const messageReply = {
  title: z.string(),
  /** Its template's email subject when the template was chosen; empty: the default one if formatted, otherwise the title. */
  subject: z.string(),
  /** The content is an email template's, or was written like one, so its bold, italic, links and lists are formatting. */
  formatted: z.boolean(),
  content: z.string(),
  /** The content without the marks that an email template's bold, italic and links have. */
  contentText: z.string(),
  messageType: z.enum(["template", "custom"]),
  templateId: z.number().nullable(),
  /** In a recurring notification, a date may be relative to the run. */
  fieldValues: z.record(z.string(), z.union([z.string(), relativeDate])),
  class: z.enum(messageClasses),
  channels: z.array(z.enum(channels)),
  audience: z.array(audienceMember),
  /** Each home gets one message on each channel. */
  perHome: z.boolean(),
  /** Whom a run leaves out. Schedules say it. */
  skipIf: detailCondition.nullable(),
  /** The file with a value for each person. */
  valuesId: z.number().nullable(),
  attachments: z.array(attachment),
};
