import * as z from "zod";
import { channels, notificationStatuses } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";

/** How many days the dashboard looks back, today included. It compares them with as many before. */
export const DASHBOARD_DAYS = 30;

/** A figure now, and what it was 30 days ago or in the 30 days before. */
const figure = z.object({ now: z.number(), before: z.number() });
export type Figure = z.output<typeof figure>;

/** Messages that went out: one person on one channel each. What was skipped or cancelled did not. */
const messages = z.object({
  delivered: z.number(),
  /** The provider accepted it, and no receipt came so far. */
  sent: z.number(),
  failed: z.number(),
});
export type MessageCounts = z.output<typeof messages>;

const reply = z.object({
  tenants: figure.extend({ properties: z.number() }),
  sent: figure,
  /** Emails opened, in percent of those sent or delivered; null while no provider tells. */
  openRate: z.object({ now: z.number().nullable(), before: z.number().nullable() }),
  templates: figure.extend({ used: z.number() }),
  /** By the day on which their run began, in the organization's zone; oldest first, none left out. */
  days: z.array(messages.extend({ day: z.iso.date() })).length(DASHBOARD_DAYS),
  channels: z.array(messages.extend({ channel: z.enum(channels) })),
  /** How many of all these went to the Sandbox. */
  simulated: z.number(),
  /** Notifications that failed someone since this person last looked; the newest first. */
  failures: z.object({
    total: z.number(),
    newest: z.array(
      z.object({
        id: z.number(),
        title: z.string(),
        status: z.enum(notificationStatuses),
        /** Why it could not be sent at all. */
        reason: z.string().nullable(),
        /** People not reached. */
        missed: z.number(),
      }),
    ),
  }),
});
export type DashboardFigures = z.output<typeof reply>;

export const dashboard = {
  read: endpoint({
    method: "GET",
    path: "/api/dashboard",
    access: "staff",
    summary: "What the dashboard counts: the last 30 days, and how they compare with the 30 before",
    reply,
  }),
};
