import * as z from "zod";
import { channels, notificationStatuses } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";

/** The number of days on the dashboard, including today. It compares them with the same number before. */
export const DASHBOARD_DAYS = 30;

/** A current figure, and the one from 30 days ago or for the 30 days before. */
const figure = z.object({ now: z.number(), before: z.number() });

/**
 * Messages with an outcome, each to one person on one channel. Skipped and cancelled ones do not count, nor do those
 * that wait or are unconfirmed.
 */
const messages = z.object({
  delivered: z.number(),
  /** The provider accepted it, and there is no receipt. */
  sent: z.number(),
  /** Refused, bounced or too late. */
  failed: z.number(),
});
export type MessageCounts = z.output<typeof messages>;

/** What is left to do before the first message can arrive. Each is true once it is done. */
const firstSteps = z.object({
  /** The organization has said what tenants know it as. */
  introduced: z.boolean(),
  people: z.boolean(),
  channel: z.boolean(),
  delivered: z.boolean(),
  /** The system is empty enough for the sample property. */
  canLoadSample: z.boolean(),
  /** There are no tenants, and no one has written anything yet: every figure would be 0, every list empty. */
  nothingYet: z.boolean(),
});
export type FirstSteps = z.output<typeof firstSteps>;

const reply = z.object({
  tenants: figure.extend({
    properties: z.number(),
    /** How many of those now can't be reached on any channel. */
    unreachable: z.number(),
  }),
  /** As a notification's page counts it: what providers accepted, bounced messages too. */
  sent: figure.extend({
    /** How many of those now went to the Sandbox. */
    simulated: z.number(),
  }),
  /**
   * Opened emails, as a percentage of those sent or delivered with a notification whose opens are known, as its page
   * tells it; null if there is none.
   */
  openRate: z.object({ now: z.number().nullable(), before: z.number().nullable() }),
  templates: figure.extend({ used: z.number() }),
  /** By the day on which their run began, in the organization's zone. Oldest first, without gaps. */
  days: z.array(messages.extend({ day: z.iso.date() })).length(DASHBOARD_DAYS),
  channels: z.array(messages.extend({ channel: z.enum(channels) })),
  /** How many of the last 30 days' went to the Sandbox. */
  simulated: z.number(),
  /** For an administrator, until they are done or dismissed; null otherwise. */
  firstSteps: firstSteps.nullable(),
  /**
   * Notifications that ended in these days without reaching everyone and that no one has dismissed, the newest of them
   * first.
   */
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
    access: "console",
    summary: "What the dashboard counts: the last 30 days, and how they compare with the 30 before",
    reply,
  }),
  closeFirstSteps: endpoint({
    method: "POST",
    path: "/api/dashboard/first-steps/close",
    access: "settings:write",
    summary: "Dismiss the first steps on your dashboard, for good",
    reply: z.object({ closed: z.literal(true) }),
  }),
};
