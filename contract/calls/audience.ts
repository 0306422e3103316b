import * as z from "zod";
import { attachmentRefs } from "#contract/calls/attachments.ts";
import { detailCondition } from "#contract/calls/detail-conditions.ts";
import { channels } from "#contract/delivery.ts";
import { reasons } from "#contract/delivery-reasons.ts";
import { endpoint } from "#contract/endpoint.ts";
import { id, instant, line, page } from "#contract/fields.ts";
import {
  channelList,
  draftChannels,
  MESSAGE_MAX,
  valuedRecipient,
  TITLE_MAX,
} from "#contract/calls/notification-fields.ts";

/** Who would get what, based on current people, groups and preferences. */

const chosen = z.array(valuedRecipient).max(500);
/** The fields in the message. A person who lacks one that is filled from their record gets nothing. */
const usedFields = z.array(line("A field's name", 64)).max(100).default([]);

/** The file with a value for each person. */
const valuesId = id.nullable().default(null);

/** The recipients and the message whose reach is asked for. */
const question = {
  recipients: chosen,
  channels: draftChannels,
  fields: usedFields,
  /** Each home gets one message on each channel. */
  perHome: z.boolean().default(false),
  valuesId,
  /** Of a schedule: whom its runs leave out. */
  skipIf: detailCondition.nullish(),
};

/** A message that is still being written: anything may be empty or invalid. */
const draft = {
  title: z
    .string()
    .max(TITLE_MAX * 100)
    .default(""),
  message: z
    .string()
    .max(MESSAGE_MAX * 2)
    .default(""),
  /** The email subject; empty means the default one for formatted text, otherwise the title. Ignored with a template. */
  subject: z
    .string()
    .max(TITLE_MAX * 100)
    .default(""),
  /** The message is an email template's text, with bold, italic, links and lists. Ignored with a template. */
  formatted: z.boolean().default(false),
  templateId: z.union([id, line("A template's name", 100)]).optional(),
  fieldValues: z.record(z.string(), z.string().max(1000)).default({}),
  valuesId,
};

const channelReason = z.object({ channel: z.enum(channels), reason: z.enum(reasons), sentence: z.string() });

export const reach = z.object({
  /** People in the audience, without those whom `skipIf` leaves out. */
  people: z.number(),
  /** Those whom it leaves out. */
  settled: z.number(),
  /** With one message per home: the homes that they live in; null otherwise. */
  homes: z.number().nullable(),
  /** People who get at least one message, or with one message per home are reached through someone else there. */
  reached: z.number(),
  /** Messages on all selected channels. */
  messages: z.number(),
  /** For every channel, selected or not, so the dialog can show what another one would add. */
  byChannel: z.record(
    z.enum(channels),
    z.object({ willGet: z.number(), skipped: z.number(), simulated: z.boolean() }),
  ),
  /** People who get nothing on the selected channels. */
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

/** One person on one selected channel. `reason` is null if the message can be sent. */
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

/** How many people a selected channel leaves out, for one reason. */
const leftOut = z.object({
  channel: z.enum(channels),
  reason: z.enum(reasons),
  /** The sentence for one of them, which names the missing field, if that is the reason. */
  sentence: z.string(),
  people: z.number(),
});
export type LeftOut = z.output<typeof leftOut>;

/** What decides the price of a text message. `costlyCharacter`: the one that makes it longest. */
const smsParts = z.object({
  parts: z.number(),
  encoding: z.enum(["GSM-7", "UCS-2"]),
  length: z.number(),
  costlyCharacter: z.string().nullable(),
});

const preview = z.object({
  /** The person it is shown for; null if there are no recipients yet, so that sample values are used. */
  person: z.object({ userId: z.number(), name: z.string() }).nullable(),
  email: z.object({ subject: z.string(), html: z.string(), text: z.string() }).nullable(),
  sms: z
    .object({
      text: z.string(),
      /** For this person. */
      parts: smsParts,
      /** For the longest text that anyone in the audience would get. */
      worst: smsParts,
      /** The field and the person that the costly character of `worst` comes from; null if it is in the text itself. */
      costlyFrom: z.object({ field: z.string(), person: z.string().nullable() }).nullable(),
      /** How many parts this person's text has with plain quotes and dashes; null if that saves none. */
      plainParts: z.number().nullable(),
    })
    .nullable(),
  push: z.object({ title: z.string(), body: z.string() }).nullable(),
  /** Fields that no one has filled yet. */
  missingFields: z.array(z.string()),
  /** A sentence that says what is wrong with the text itself. */
  problem: z.string().nullable(),
});
export type Preview = z.output<typeof preview>;

/** What became of a test on one channel. */
const testResult = z.object({
  channel: z.enum(channels),
  /** `sandbox`: it would have gone out, if a provider were connected. */
  outcome: z.enum(["sent", "sandbox", "failed"]),
  text: z.string(),
});
export type TestResult = z.output<typeof testResult>;

export const audience = {
  reach: endpoint({
    method: "POST",
    path: "/api/audience/reach",
    access: "people:read",
    summary: "How many people would get it on each channel, and who can't",
    body: z.object(question),
    reply: reach,
  }),
  reachList: endpoint({
    method: "POST",
    path: "/api/audience/reach/list",
    access: "people:read",
    summary: "Who gets what, person by person, 25 per page",
    body: z.object({
      ...question,
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
    access: "people:read",
    summary: "How many people each channel would leave out, by reason",
    body: z.object(question),
    answer: "list",
    reply: z.array(leftOut),
  }),
  planned: endpoint({
    method: "POST",
    path: "/api/audience/planned",
    access: "people:read",
    summary: "How many people each of these unsent notifications is for",
    body: z.object({ notificationIds: z.array(id).max(100) }),
    reply: z.array(z.object({ notificationId: z.number(), people: z.number() })),
  }),
  preview: endpoint({
    method: "POST",
    path: "/api/audience/preview",
    access: "people:read",
    summary: "The message as one person would get it",
    body: z.object({
      recipients: chosen,
      channels: draftChannels,
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
  texts: endpoint({
    method: "POST",
    path: "/api/audience/texts",
    access: "people:read",
    summary: "How many text messages would go out and in how many parts, by each person’s own text",
    body: z.object({ recipients: chosen, perHome: question.perHome, ...draft }),
    /** Null while the message can’t be written: a field is open, or braces hold none. */
    reply: z.object({ texts: z.number(), parts: z.number() }).nullable(),
  }),
  sendTest: endpoint({
    method: "POST",
    path: "/api/audience/send-test",
    access: "messages:send",
    summary: "Send the message as it is written now to yourself, marked as a test",
    body: z.object({ channels: channelList, attachments: attachmentRefs.default([]), ...draft }),
    reply: z.array(testResult),
  }),
  today: endpoint({
    method: "GET",
    path: "/api/clock",
    access: "signed-in",
    summary: "The organization's time zone, and the day and time there",
    reply: z.object({ timeZone: z.string(), now: instant, today: z.iso.date(), time: z.string() }),
  }),
};
