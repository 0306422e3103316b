import * as z from "zod";
import { messageClasses, type Channel } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";
import { bestFirst, idParams, instant, line, orNone, page, requiredLine, text } from "#contract/fields.ts";
import { fieldValues, MESSAGE_MAX } from "#contract/calls/notification-fields.ts";

export const templateTypes = ["Email", "SMS", "Push"] as const;
export type TemplateType = (typeof templateTypes)[number];

/** The channel that a template of this type is written for. */
export const templateChannel = { Email: "email", SMS: "sms", Push: "push" } as const satisfies Record<
  TemplateType,
  Channel
>;

const NAME_MAX = 100;
const SUBJECT_MAX = 200;
const FIELDS_MAX = 100;

/** A field's name as written between the braces. */
export const fieldName = z
  .string({ error: "A field name must be text" })
  .trim()
  .toLowerCase()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, "A field name can have letters, digits and underscores");

/**
 * A reusable message. `slug` is the name used by the specified calls ("rent-reminder"). The content of an email may have
 * bold, italic, links and lists, as Markdown. Other content is plain text.
 */
const template = z.object({
  id: z.number(),
  slug: z.string().nullable(),
  name: z.string(),
  type: z.enum(templateTypes),
  /** Messages of class "emergency" go ahead of all others. */
  class: z.enum(messageClasses),
  /** For an email; empty otherwise. */
  subject: z.string(),
  content: z.string(),
  /** The content without the marks that an email's bold, italic and links have. */
  contentText: z.string(),
  /** Every {{field}} in subject and content, in order of appearance, then those added by hand. */
  dynamicFields: z.array(z.string()),
  /** Those that the sender fills in. */
  askedFields: z.array(z.string()),
  /** When it was last sent, or last used for a message that is not a draft. */
  lastUsed: instant.nullable(),
  /** Schedules that send it as it is at each run, next run first. While there are any, it can't be archived. */
  schedules: z.object({ total: z.number(), first: z.array(z.object({ id: z.number(), name: z.string() })) }),
  createdBy: z.string(),
  archived: z.boolean(),
  /** Counts the saves, from 1. */
  version: z.number(),
  updatedAt: instant,
});
export type Template = z.output<typeof template>;

export const templateBody = z.object({
  name: requiredLine("Template name", NAME_MAX, "Template name is required"),
  type: z.enum(templateTypes, { error: "Type is required" }),
  subject: orNone(line("Subject", SUBJECT_MAX)).optional(),
  content: text("Content", MESSAGE_MAX, "Content is required").refine(
    (value) => value.trim() !== "",
    "Content is required",
  ),
  /** If left out, it stays; "general" in a new template. */
  class: z.enum(messageClasses).optional(),
  /** Fields to keep besides those in the text. If left out, they stay. */
  dynamicFields: z
    .array(fieldName)
    .max(FIELDS_MAX, `A template can have up to ${FIELDS_MAX} extra fields`)
    .optional(),
});

const updateBody = templateBody.extend({
  /** From when the form was opened, so that it does not overwrite someone else's change. */
  updatedAt: instant.optional(),
});

/** One saved version. `current`: the one in use. */
const templateVersion = z.object({
  version: z.number(),
  name: z.string(),
  type: z.enum(templateTypes),
  subject: z.string(),
  content: z.string(),
  dynamicFields: z.array(z.string()),
  savedBy: z.string(),
  savedAt: instant,
  current: z.boolean(),
});
export type TemplateVersion = z.output<typeof templateVersion>;

/** A use of a template. A schedule sends its text as it is at each run, a notification as it was when scheduled. */
const templateUse = z.object({
  kind: z.enum(["schedule", "notification"]),
  id: z.number(),
  name: z.string(),
  nextRun: instant.nullable(),
});
export type TemplateUse = z.output<typeof templateUse>;

export const templates = {
  list: endpoint({
    method: "GET",
    path: "/api/templates",
    access: "messages:read",
    summary: "Templates, most recently used first",
    query: z.object({
      q: line("Search", 200).optional(),
      type: z.enum(templateTypes, { error: "Type must be Email, SMS or Push" }).optional(),
      archived: z.stringbool().default(false),
      /** `choice`: those for emergencies, then the most recently used. */
      sort: z
        .enum(["used", "name", "choice"], { error: "Sort must be used, name or choice" })
        .default("used"),
      bestFirst,
      ...page,
    }),
    answer: "list",
    reply: z.array(template),
  }),
  read: endpoint({
    method: "GET",
    path: "/api/templates/{id}",
    access: "messages:read",
    summary: "One template",
    params: idParams,
    reply: template,
  }),
  create: endpoint({
    method: "POST",
    path: "/api/templates",
    access: "templates:write",
    summary: "Create a template",
    body: templateBody,
    status: 201,
    reply: template,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/templates/{id}",
    access: "templates:write",
    summary: "Change a template. Every save is kept as a version. Messages already sent stay as they were",
    params: idParams,
    body: updateBody,
    reply: template,
  }),
  duplicate: endpoint({
    method: "POST",
    path: "/api/templates/{id}/duplicate",
    access: "templates:write",
    summary: "Duplicate a template",
    params: idParams,
    status: 201,
    reply: template,
  }),
  archive: endpoint({
    method: "POST",
    path: "/api/templates/{id}/archive",
    access: "templates:write",
    summary: "Archive or restore a template. One in use by schedules can't be archived",
    params: idParams,
    body: z.object({ archived: z.boolean() }),
    reply: template,
  }),
  versions: endpoint({
    method: "GET",
    path: "/api/templates/{id}/versions",
    access: "messages:read",
    summary: "Every saved version of a template, newest first",
    params: idParams,
    query: z.object(page),
    answer: "list",
    reply: z.array(templateVersion),
  }),
  uses: endpoint({
    method: "GET",
    path: "/api/templates/{id}/uses",
    access: "messages:read",
    summary: "The schedules and scheduled notifications that use a template",
    params: idParams,
    reply: z.array(templateUse),
  }),
  sendTest: endpoint({
    method: "POST",
    path: "/api/templates/send-test",
    access: "templates:write",
    summary: "Send an unsaved template to yourself, on its own channel",
    body: templateBody.pick({ type: true, subject: true, content: true }).extend({
      /** Values of the fields that the sender fills in. A missing one is shown as [its name]. */
      fieldValues: fieldValues.default({}),
    }),
    status: 202,
    reply: z.object({ message: z.string() }),
  }),
};
