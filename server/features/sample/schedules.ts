import type { Channel } from "#contract/delivery.ts";
import type { RecurrenceKind, ResidentDate } from "#contract/recurrence.ts";
import type { ScheduleValue } from "#contract/text/relative-date.ts";
import type { SampleAudience } from "#server/features/sample/groups.ts";

/** One of the five schedules that the specification begins with, or the use case that goes by a resident's date. */
export type SampleSchedule = {
  name: string;
  recurrence: RecurrenceKind;
  dayOfWeek?: number;
  dayOfMonth?: number;
  /** For one that runs once. */
  inDays?: number;
  /** For one that goes by a resident's date. */
  residentDate?: ResidentDate;
  dayOffset?: number;
  time: string;
  endTime?: string;
  paused?: true;
  template: string;
  values?: Record<string, ScheduleValue>;
  to: SampleAudience;
  channels: Channel[];
  by: number;
  /** What became of its last runs, the latest first. */
  runs: ("started" | "missed")[];
  opened?: number;
};

export const sampleSchedules: SampleSchedule[] = [
  {
    name: "Monthly Rent Reminder",
    recurrence: "monthly",
    dayOfMonth: 25,
    time: "09:00",
    endTime: "10:00",
    template: "Rent Reminder",
    // The amount is each tenant's own.
    values: { due_date: { day: 1, monthsAfter: 1 } },
    to: "All Tenants",
    channels: ["email"],
    by: 1,
    runs: [],
  },
  {
    name: "Weekly Maintenance",
    recurrence: "weekly",
    dayOfWeek: 1,
    time: "08:00",
    template: "Maintenance Alert",
    values: {
      work_date: { daysAfter: 2 },
      work_time: "9 AM to noon",
      work_description: "We clean the hallways and check lights, doors and smoke detectors on all floors.",
    },
    to: "Cedar Lofts",
    channels: ["email"],
    by: 3,
    runs: ["started", "missed"],
    opened: 0.93,
  },
  {
    name: "Community Event",
    recurrence: "once",
    inDays: 9,
    time: "17:00",
    template: "Community Event Invitation",
    values: {
      event: "the winter potluck",
      event_date: { daysAfter: 7 },
      event_time: "6 PM",
      location: "in the community room of Garden Row",
    },
    to: "All Tenants",
    channels: ["email", "push"],
    by: 0,
    runs: [],
  },
  {
    name: "Staff Meeting",
    recurrence: "weekly",
    dayOfWeek: 2,
    time: "14:00",
    template: "Staff Meeting",
    values: {
      meeting_date: { daysAfter: 1 },
      meeting_time: "9:30 AM",
      location: "in the leasing office",
      agenda: "- Open repairs\n- Move-ins and move-outs\n- Messages of the week",
    },
    to: "Property Team",
    channels: ["email"],
    by: 0,
    runs: ["started", "started"],
    opened: 0.9,
  },
  {
    name: "Noise Reminder",
    recurrence: "monthly",
    dayOfMonth: 1,
    time: "10:00",
    paused: true,
    template: "Quiet Hours Reminder",
    to: "All Tenants",
    channels: ["email"],
    by: 4,
    runs: [],
  },
  {
    name: "Onboarding Residents",
    recurrence: "resident-date",
    residentDate: "move-in",
    dayOffset: 1,
    time: "10:00",
    template: "Welcome Letter",
    to: "All Tenants",
    channels: ["email"],
    by: 1,
    runs: [],
  },
];
