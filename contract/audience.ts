import * as z from "zod";
import { channels } from "#contract/delivery.ts";
import { reasons } from "#contract/delivery-reasons.ts";
import { endpoint } from "#contract/endpoint.ts";
import { id, line, page } from "#contract/fields.ts";
import { MESSAGE_MAX, TITLE_MAX } from "#contract/notification-fields.ts";
import { instant } from "#contract/fields.ts";

/** Before sending, the truth: who would get what, as people, groups and consents stand now. */

const chosen = z.array(z.object({ type: z.enum(["group", "user"]), id })).max(500);
const chosenChannels = z.array(z.enum(channels));
/** The fields of the message: who lacks one of those that a person fills gets nothing. */
const usedFields = z.array(line("A field's name", 64)).max(100).default([]);

/** Unfinished text: everything may still be empty or wrong. */
const draft = {
  title: z
    .string()
    .max(TITLE_MAX * 100)
    .default(""),
  message: z
    .string()
    .max(MESSAGE_MAX * 2)
    .default(""),
  /** Of the email; empty: the title. A template brings its own. */
  subject: z
    .string()
    .max(TITLE_MAX * 100)
    .default(""),
  /** The message is an email template's text, with bold, italic, links and lists. A template brings its own. */
  formatted: z.boolean().default(false),
  templateId: z.union([id, line("A template's name", 100)]).optional(),
  fieldValues: z.record(z.string(), z.string().max(1000)).default({}),
};

const channelReason = z.object({ channel: z.enum(channels), reason: z.enum(reasons), sentence: z.string() });

export const reach = z.object({
  /** Persons in the audience. */
  people: z.number(),
  /** Persons who get at least one message. */
  reached: z.number(),
  /** Messages over all chosen channels. */
  messages: z.number(),
  /** For every channel, chosen or not, so that the dialog can show what a further one would add. */
  byChannel: z.record(
    z.enum(channels),
    z.object({ willGet: z.number(), skipped: z.number(), simulated: z.boolean() }),
  ),
  /** Persons who get nothing on the chosen channels. */
  unreachable: z.object({
    total: z.number(),
    first: z.array(
      z.object({
        userId: z.number(),
        name: z.string(),
        propertyUnit: z.string().nullable(),
        reasons: z.array(channelReason),
      }),
    ),
  }),
});
export type Reach = z.output<typeof reach>;

/** One person on one chosen channel: `reason` is null when the message would go. */
export const reachLine = z.object({
  userId: z.number(),
  name: z.string(),
  propertyUnit: z.string().nullable(),
  channel: z.enum(channels),
  address: z.string().nullable(),
  reason: z.enum(reasons).nullable(),
  sentence: z.string().nullable(),
});
export type ReachLine = z.output<typeof reachLine>;

/** How many of the audience a chosen channel leaves out for one reason. */
const leftOut = z.object({
  channel: z.enum(channels),
  reason: z.enum(reasons),
  /** Of one of them; a missing field is named. */
  sentence: z.string(),
  people: z.number(),
});
export type LeftOut = z.output<typeof leftOut>;

/** A text message's price: GSM-7 or UCS-2, how many parts, and the letter that costs the most. */
const smsParts = z.object({
  parts: z.number(),
  encoding: z.enum(["GSM-7", "UCS-2"]),
  length: z.number(),
  costlyCharacter: z.string().nullable(),
});

const preview = z.object({
  /** The person it is shown for; null when no one is chosen yet and sample values stand in. */
  person: z.object({ userId: z.number(), name: z.string() }).nullable(),
  email: z.object({ subject: z.string(), html: z.string(), text: z.string() }).nullable(),
  sms: z
    .object({
      text: z.string(),
      /** For this person. */
      parts: smsParts,
      /** For the longest text that anyone in the audience would get. */
      worst: smsParts,
      /** The field that the costly letter of `worst` came in with, and whose; null when it stands in the text. */
      costlyFrom: z.object({ field: z.string(), person: z.string().nullable() }).nullable(),
      /** How many parts this person's takes with plain quotes and dashes, where that saves some. */
      plainParts: z.number().nullable(),
    })
    .nullable(),
  push: z.object({ title: z.string(), body: z.string() }).nullable(),
  /** Fields that no one has filled yet. */
  missingFields: z.array(z.string()),
  /** What is wrong with the text itself, in words. */
  problem: z.string().nullable(),
});
export type Preview = z.output<typeof preview>;

export const audience = {
  reach: endpoint({
    method: "POST",
    path: "/api/audience/reach",
    access: "staff",
    summary: "How many people would get it on each channel, and who can't",
    body: z.object({ recipients: chosen, channels: chosenChannels, fields: usedFields }),
    reply: reach,
  }),
  reachList: endpoint({
    method: "POST",
    path: "/api/audience/reach/list",
    access: "staff",
    summary: "Who gets what, person by person, 25 per page",
    body: z.object({
      recipients: chosen,
      channels: chosenChannels,
      fields: usedFields,
      q: line("Search", 200).optional(),
      only: z.enum(["all", "skipped", "unreachable"]).default("all"),
      ...page,
    }),
    answer: "list",
    reply: z.array(reachLine),
  }),
  leftOut: endpoint({
    method: "POST",
    path: "/api/audience/reach/left-out",
    access: "staff",
    summary: "How many people each channel would leave out, by reason",
    body: z.object({ recipients: chosen, channels: chosenChannels, fields: usedFields }),
    answer: "list",
    reply: z.array(leftOut),
  }),
  planned: endpoint({
    method: "POST",
    path: "/api/audience/planned",
    access: "staff",
    summary: "How many people each of these unsent notifications is for",
    body: z.object({ notificationIds: z.array(id).max(100) }),
    reply: z.array(z.object({ notificationId: z.number(), people: z.number() })),
  }),
  preview: endpoint({
    method: "POST",
    path: "/api/audience/preview",
    access: "staff",
    summary: "The message as one person would get it",
    body: z.object({
      recipients: chosen,
      channels: chosenChannels,
      userId: id.optional(),
      /** For the note below the message: names, and sizes in bytes. */
      attachments: z
        .array(z.object({ name: z.string().max(255), size: z.number().min(0) }))
        .max(100)
        .default([]),
      ...draft,
    }),
    reply: preview,
  }),
  today: endpoint({
    method: "GET",
    path: "/api/clock",
    access: "signed-in",
    summary: "The organization's time zone, and the day and time there",
    reply: z.object({ timeZone: z.string(), now: instant, today: z.iso.date(), time: z.string() }),
  }),
};
