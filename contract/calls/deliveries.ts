import * as z from "zod";
import { channels, deliveryStatuses } from "#contract/delivery.ts";
import { reasons } from "#contract/delivery-reasons.ts";
import { endpoint } from "#contract/endpoint.ts";
import { id, idParams, instant, line, page } from "#contract/fields.ts";
import { sandboxOnly } from "#contract/run-progress.ts";

/** One person on one channel of one notification. *Sent* and *delivered* are separate times. */
export const delivery = z.object({
  id: z.number(),
  userId: z.number(),
  name: z.string(),
  propertyUnit: z.string().nullable(),
  channel: z.enum(channels),
  address: z.string().nullable(),
  /** The person's phone number as it is now, to call them. */
  phone: z.string().nullable(),
  status: z.enum(deliveryStatuses),
  reason: z.enum(reasons).nullable(),
  /** There was no address on file when it was sent, and there is one now. */
  addressAdded: z.boolean(),
  /** The outcome, in a sentence. */
  sentence: z.string(),
  /** What to do about it; empty if there is nothing to do. */
  next: z.string(),
  simulated: z.boolean(),
  attempts: z.number(),
  sentAt: instant.nullable(),
  deliveredAt: instant.nullable(),
  lastTryAt: instant.nullable(),
  nextTryAt: instant.nullable(),
  /** The last text message that they wrote back; null if there is none. */
  reply: z.string().nullable(),
});
export type Delivery = z.output<typeof delivery>;

export const timelineEvent = z.object({
  at: instant,
  kind: z.enum(["done", "good", "bad", "waiting"]),
  sentence: z.string(),
  /** The provider's answer, how long it took, and which attempt it was. */
  detail: z.string().nullable(),
});
export type TimelineEvent = z.output<typeof timelineEvent>;

export const renderedMessage = z.object({
  channel: z.enum(channels),
  to: z.string(),
  from: z.string(),
  subject: z.string().nullable(),
  html: z.string().nullable(),
  text: z.string(),
  simulated: z.boolean(),
  attachments: z.array(z.object({ id: z.number(), name: z.string(), size: z.number() })),
});
export type RenderedMessage = z.output<typeof renderedMessage>;

/** What a retry would do right now, in messages. */
const retryPreview = z.object({
  messages: z.number(),
  sandboxOnly,
  /** Messages that still could not be sent, and why, largest number first. */
  blocked: z.array(
    z.object({ channel: z.enum(channels), reason: z.enum(reasons), count: z.number(), sentence: z.string() }),
  ),
});
export type RetryPreview = z.output<typeof retryPreview>;

export const deliveries = {
  list: endpoint({
    method: "GET",
    path: "/api/notifications/{id}/deliveries",
    access: "messages:read",
    summary:
      "What happened, person by person. People who were not reached come first, then those without a receipt. Pages and the total count people, each with all their deliveries",
    params: z.object({ id }),
    query: z.object({
      q: line("Search", 200).optional(),
      /**
       * Which people: all, or those who weren't reached, are still waiting, were reached, of those only the ones without a
       * receipt or with one, who opted out, whose message was cancelled, or who replied to a text message. Only `all` also
       * lists what went to the Sandbox beside real messages.
       */
      show: z
        .enum([
          "all",
          "unreached",
          "waiting",
          "reached",
          "sent",
          "delivered",
          "opted-out",
          "cancelled",
          "replied",
        ])
        .default("all"),
      ...page,
    }),
    answer: "list",
    reply: z.array(delivery),
  }),
  retryPreview: endpoint({
    method: "GET",
    path: "/api/notifications/{id}/send-again",
    access: "messages:read",
    summary: "How many messages a retry would send, and why the others can't be sent",
    params: z.object({ id }),
    query: z.object({
      unconfirmed: z.stringbool().default(false),
      includeReached: z.stringbool().default(false),
    }),
    reply: retryPreview,
  }),
  timeline: endpoint({
    method: "GET",
    path: "/api/deliveries/{id}",
    access: "messages:read",
    summary:
      "Everything that happened to one delivery, in order, and the outcome on the person's other channels",
    params: idParams,
    reply: z.object({
      delivery,
      events: z.array(timelineEvent),
      /** The same person's deliveries on the notification's other channels. */
      otherChannels: z.array(delivery),
    }),
  }),
  message: endpoint({
    method: "GET",
    path: "/api/deliveries/{id}/message",
    access: "messages:read",
    summary: "The message as this person got it, from the content that was frozen when it was sent",
    params: idParams,
    reply: renderedMessage,
  }),
};
