import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { page } from "#contract/fields.ts";

/** What became of an occurrence of a schedule. */
export const occurrenceStates = ["started", "missed", "failed", "skipped"] as const;
export type OccurrenceState = (typeof occurrenceStates)[number];

/** Added to the id of a scheduled notification where it stands among schedules, which have ids of their own. */
export const SCHEDULED_NOTIFICATION_OFFSET = 10_000;

/** One thing that will go out, as the dashboard shows it. */
const upcoming = z.object({
  id: z.number(),
  /** How far away it is by the organisation's calendar: "Today", "Tomorrow", "In 3 days". */
  timeframe: z.string(),
  title: z.string(),
  /** Channels, audience and time: "Email, SMS · All Tenants · Wed 25 Nov, 9:00 AM EST". */
  details: z.string(),
});
export type Upcoming = z.output<typeof upcoming>;

export const schedules = {
  upcoming: endpoint({
    method: "GET",
    path: "/api/schedules/upcoming",
    access: "staff",
    summary: "Scheduled notifications, the next one first",
    query: z.object({ ...page }),
    answer: "list",
    reply: z.array(upcoming),
  }),
};
