import type { Channel, MessageClass } from "#contract/delivery.ts";
import type { SampleAudience } from "#server/features/sample/groups.ts";

type What =
  | { template: string; values?: Record<string, string> }
  | { content: string; subject?: string; class?: MessageClass };

/** A notification that was sent, with its outcome. */
export type SentMessage = What & {
  title: string;
  to: SampleAudience;
  channels: Channel[];
  /** Of `staff()`. */
  by: number;
  /** The part of delivered emails that were opened, and of those the part in which a link was clicked. */
  opened?: number;
  clicked?: number;
  /** Texts that came back. */
  replies?: string[];
  /** One person marks the email as spam. */
  complaint?: true;
} & ({ daysAgo: number; at: string } | { minutesAgo: number });

/** Newest last. Those of the last 30 days stay clear of the ends of that period, whatever the time of day. */
export const sentMessages: SentMessage[] = [
  {
    title: "How are we doing?",
    template: "Resident Survey",
    values: { open_until: "the end of the month" },
    to: "All Tenants",
    channels: ["email"],
    by: 0,
    daysAgo: 56,
    at: "10:30",
    opened: 0.87,
    clicked: 0.46,
    complaint: true,
  },
  {
    title: "Annual inspection",
    template: "Annual Inspection",
    values: { inspection_date: "Thursday of next week", inspection_time: "9 AM and noon" },
    to: "Cedar Lofts",
    channels: ["email", "sms"],
    by: 3,
    daysAgo: 50,
    at: "09:15",
    opened: 0.92,
    replies: ["Fine with me. Two cats, please keep the door closed."],
  },
  {
    title: "Elevator out of service",
    template: "Elevator Work",
    values: { work_date: "Wednesday", work_time: "8 AM to 4 PM" },
    to: "Harbor View",
    channels: ["email", "sms"],
    by: 3,
    daysAgo: 43,
    at: "16:20",
    opened: 0.94,
  },
  {
    title: "Heat is on",
    template: "Heating Season",
    values: { start_date: "Monday" },
    to: "Maple Court",
    channels: ["email"],
    by: 4,
    daysAgo: 38,
    at: "11:05",
    opened: 0.9,
  },
  {
    title: "Rent reminder",
    template: "Rent Reminder",
    values: { amount: "the amount in your lease", due_date: "the first of the month" },
    to: "All Tenants",
    channels: ["email"],
    by: 1,
    daysAgo: 34,
    at: "09:00",
    opened: 0.91,
  },
  {
    title: "Your lease ends soon",
    template: "Lease Renewal Offer",
    values: { lease_end: "the last day of February", reply_by: "the 15th" },
    // The address bounces.
    to: { mailbox: "bounce" },
    channels: ["email"],
    by: 1,
    daysAgo: 27,
    at: "14:45",
  },
  {
    title: "Fire alarm test",
    template: "Fire Alarm Test",
    values: { test_date: "Thursday", test_time: "10 AM to noon" },
    to: "Harbor View",
    channels: ["email", "sms"],
    by: 3,
    daysAgo: 25,
    at: "09:30",
    opened: 0.93,
  },
  {
    title: "Window cleaning next week",
    template: "Window Cleaning",
    values: { work_date: "Tuesday" },
    to: "Cedar Lofts",
    channels: ["email"],
    by: 4,
    daysAgo: 21,
    at: "13:10",
    opened: 0.9,
  },
  {
    title: "The gym is open again",
    template: "Amenity Reopening",
    values: { amenity: "gym", open_date: "Saturday" },
    to: "Maple Court",
    channels: ["email", "push"],
    by: 0,
    daysAgo: 18,
    at: "12:00",
    opened: 0.94,
  },
  {
    title: "Rent reminder",
    template: "Rent Reminder",
    values: { amount: "the amount in your lease", due_date: "the first of the month" },
    to: "All Tenants",
    channels: ["email"],
    by: 1,
    daysAgo: 15,
    at: "09:00",
    opened: 0.92,
  },
  {
    title: "New hours of the package room",
    template: "Package Room Hours",
    values: { start_date: "Monday" },
    to: "Garden Row",
    channels: ["email"],
    by: 5,
    daysAgo: 10,
    at: "15:25",
    opened: 0.93,
  },
  {
    title: "Please register your pet",
    template: "Pet Registration",
    values: { register_by: "the end of the month" },
    to: "Pet Owners",
    channels: ["email"],
    by: 6,
    daysAgo: 7,
    at: "10:00",
    opened: 0.9,
  },
  {
    title: "Renew your parking permit",
    template: "Parking Permit Renewal",
    values: { renew_by: "Friday" },
    to: "Parking Permit Holders",
    channels: ["email"],
    by: 1,
    daysAgo: 5,
    at: "11:40",
    opened: 0.93,
  },
  {
    title: "No hot water on Thursday",
    template: "Boiler Service",
    values: { work_date: "Thursday", work_time: "9 AM to 1 PM" },
    to: "Garden Row",
    channels: ["sms"],
    by: 3,
    daysAgo: 3,
    at: "08:40",
    replies: ["Will it be back by 1 for sure? I work from home.", "Thanks for letting us know."],
  },
  {
    title: "You're invited: lobby concert",
    template: "Community Event Invitation",
    values: {
      event: "the lobby concert",
      event_date: "Saturday",
      event_time: "5 PM",
      location: "in the lobby of Maple Court",
    },
    to: "Maple Court",
    channels: ["email"],
    by: 0,
    daysAgo: 1,
    at: "10:15",
    opened: 0.91,
  },
  {
    title: "Water is off at Harbor View",
    template: "Water Shutoff",
    values: { off_from: "now", cause: "a burst pipe on the third floor", back_at: "this afternoon" },
    to: "Harbor View",
    channels: ["sms"],
    by: 3,
    minutesAgo: 95,
    replies: ["There is water in the hallway on 3 as well", "Is the basement laundry affected?"],
  },
];

/** A notification that is not out: a draft, one for later, or one that was cancelled before its time. */
export type UnsentMessage = What & {
  title: string;
  to: SampleAudience | null;
  channels: Channel[];
  by: number;
  status: "Draft" | "Scheduled" | "Cancelled";
  /** When it goes out, or would have. */
  inDays?: number;
  at?: string;
  writtenDaysAgo: number;
};

export const unsentMessages: UnsentMessage[] = [
  {
    title: "Bike room cleanup",
    content:
      "Hello {{first_name}},\n\nWe'll clear out the bike room at the end of the month. Please tag your bike at the front desk so that we don't remove it.",
    to: "Cedar Lofts",
    channels: ["email"],
    by: 5,
    status: "Draft",
    writtenDaysAgo: 2,
  },
  {
    title: "Snow removal this winter",
    content: "Hello {{first_name}},\n\nThis is who clears what when it snows:",
    to: null,
    channels: ["email", "sms"],
    by: 3,
    status: "Draft",
    writtenDaysAgo: 6,
  },
  {
    title: "Recycling: what goes where",
    template: "Recycling Guide",
    to: "Garden Row",
    channels: ["email"],
    by: 4,
    status: "Scheduled",
    inDays: 2,
    at: "10:00",
    writtenDaysAgo: 1,
  },
  {
    title: "Hallway painting, floors 4 to 6",
    content:
      "Hello {{first_name}},\n\nPainters will work on floors 4 to 6 from 8 AM to 5 PM. The paint is low-odor. Please keep your door closed while they pass.",
    to: "Harbor View",
    channels: ["email", "push"],
    by: 3,
    status: "Scheduled",
    inDays: 5,
    at: "07:30",
    writtenDaysAgo: 3,
  },
  {
    title: "Rooftop yoga on Sunday",
    template: "Community Event Invitation",
    values: { event: "rooftop yoga", event_date: "Sunday", event_time: "9 AM", location: "on the roof" },
    to: "Maple Court",
    channels: ["email"],
    by: 6,
    status: "Cancelled",
    inDays: -8,
    at: "09:00",
    writtenDaysAgo: 11,
  },
];
