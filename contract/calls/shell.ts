import * as z from "zod";
import { channels } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";
import { detail } from "#contract/calls/details.ts";
import { instant, wholeNumber } from "#contract/fields.ts";
import { providerState } from "#contract/calls/integrations.ts";
import { dateOrders, dateSeparators } from "#contract/text/home-dates.ts";
import { phoneFormat } from "#contract/text/phone-format.ts";
import { runProgress } from "#contract/run-progress.ts";

const unseenFailures = z.object({
  notifications: z.number(),
  /** The notification that failed, if it is only one. */
  onlyNotification: z.number().nullable(),
  /** How far down the list of failures they reach: the place of the last of them, from 1; 0 if there are none. */
  reach: z.number(),
  /** Schedules that cannot run, or that have missed or failed runs. */
  schedules: z.number(),
  /** Texts that people wrote back. */
  replies: z.number(),
  /** The first of them, and the message it answers. */
  firstReply: z.object({ notificationId: z.number(), deliveryId: z.number(), at: instant }).nullable(),
  asOf: instant,
});
export type UnseenFailures = z.output<typeof unseenFailures>;

/** An event that the server sends to open pages. */
export const serverEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run"),
    notificationId: z.number(),
    /** Its progress, read once for all pages; null: it could not be read, so each page fetches it. */
    progress: runProgress.nullable(),
  }),
  z.object({ type: z.literal("notifications") }),
  z.object({ type: z.literal("schedules") }),
  z.object({ type: z.literal("templates") }),
  z.object({ type: z.literal("providers") }),
  z.object({ type: z.literal("settings") }),
  /** People, groups or blocked addresses changed. */
  z.object({ type: z.literal("people") }),
  /** The server was cut off from its database, or the page from the server: anything may have changed. */
  z.object({ type: z.literal("reconnected") }),
]);
export type ServerEvent = z.output<typeof serverEvent>;

/** How long ago an event may have happened for a new stream to repeat it, in milliseconds. */
export const EVENTS_KEPT_MS = 60_000;

export const shell = {
  state: endpoint({
    method: "GET",
    path: "/api/shell",
    access: "signed-in",
    summary: "What the header and sidebar of every screen show",
    reply: z.object({
      siteName: z.string(),
      timeZone: z.string(),
      /** How phone numbers are written in the organization's country. */
      phones: phoneFormat,
      /** How dates are written there. */
      dates: z.object({ order: z.enum(dateOrders), separator: z.enum(dateSeparators) }),
      /** How amounts and numbers are written there. */
      numbers: z.object({
        digits: z.number(),
        before: z.string(),
        after: z.string(),
        group: z.string(),
        point: z.string(),
        lakhs: z.boolean(),
      }),
      /** The details that are kept of each person; empty for tenants. */
      details: z.array(detail),
      /** Those that the settings have turned on. */
      channels: z.array(z.enum(channels)),
      /** Empty for tenants. */
      providers: z.array(providerState),
      /** Your email address while it is unconfirmed, otherwise null. */
      unconfirmedEmail: z.string().nullable(),
      /** Your phone number while it is unconfirmed, and whether we can text there to confirm it; otherwise null. */
      unconfirmedPhone: z.object({ phone: z.string(), canText: z.boolean() }).nullable(),
      /** For administrators: a proxy sends visitors' addresses, but the server is not configured to trust it. */
      proxyNotTrusted: z.boolean(),
      /** The sample property is loaded; for staff and administrators. */
      sampleLoaded: z.boolean(),
      /** What has failed or been missed since this person last looked; null for tenants. */
      unseenFailures: unseenFailures.nullable(),
    }),
  }),
  seen: endpoint({
    method: "POST",
    path: "/api/shell/seen",
    access: "console",
    summary: "Mark failures as seen",
    body: z.object({
      what: z.enum(["notifications", "schedules", "replies"], {
        error: "What was seen must be notifications, schedules or replies",
      }),
      /** The `asOf` of what was seen, or the reply's `at`. Later ones stay new. */
      until: instant,
    }),
    reply: unseenFailures,
  }),
  events: endpoint({
    method: "GET",
    path: "/api/events",
    access: "console",
    summary: "Server-sent events: what changed, so pages don't have to poll",
    query: z.object({
      /** Also sends what happened in so many milliseconds before, which a page may have read too early for. */
      since: wholeNumber(0, EVENTS_KEPT_MS, `"since" must be 0 to ${EVENTS_KEPT_MS} milliseconds`).default(0),
    }),
    answer: "events",
    reply: serverEvent,
  }),
};
