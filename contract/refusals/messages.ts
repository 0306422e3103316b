import { type Channel, channelMeaning, type NotificationStatus } from "#contract/delivery.ts";
import { says } from "#contract/refusals/says.ts";
import { people } from "#contract/text/count-text.ts";
import { isolated } from "#contract/text/isolate.ts";
import { scheduledFields, type ScheduledUse } from "#contract/text/scheduled-uses.ts";

const beside = (sentence: string, index: number) => ({
  recipients: sentence,
  [`recipients.${index}`]: sentence,
});

type Unknown = { index: number; name: string; near: readonly string[] };
const unknownText = ({ name, near }: Unknown) => {
  const hint =
    near.length > 0 ? ` Did you mean ${near.map((one) => `"${isolated(one)}"`).join(" or ")}?` : "";
  return `No group or person is called "${isolated(name)}".${hint}`;
};

type Ambiguous = {
  index: number;
  name: string;
  choices: readonly { name: string; detail: string; type: string; id: number }[];
  total: number;
};
const ambiguousText = ({ name, choices, total }: Ambiguous) => {
  const listed = choices.map(
    (one) => `${isolated(one.name)} (${isolated(one.detail)}; { "type": "${one.type}", "id": ${one.id} })`,
  );
  const more = total > choices.length ? ` and ${total - choices.length} more` : "";
  return `"${isolated(name)}" can mean ${total}: ${listed.join(", ")}${more}. Name one by type and id.`;
};

const valueFromRecord = ({ field }: { field: string }) =>
  `{{${field}}} is filled in from each person’s record`;

const twoValues = ({ field }: { field: string }) => `This person has another {{${field}}} above`;

const changedJustNow = "It has just been changed. Try again.";
const goneOut = "It has already gone out, so there's nothing to cancel.";
// Statuses that can be stopped appear here for a notification that starts waiting or sending at this very moment.
const nothingToStop: Record<NotificationStatus, string> = {
  Draft: "This is a draft. Nothing goes out until someone sends it.",
  Scheduled: changedJustNow,
  Recurring: changedJustNow,
  Sending: changedJustNow,
  Delivered: goneOut,
  "Partially Delivered": goneOut,
  Failed: "It has already failed, so there's nothing to cancel.",
  Cancelled: "It has already been cancelled.",
};

const notYet = "It has not gone out yet, so there is no one to retry.";
// A notification that was stopped, or never began to go out, has no run to continue.
const nothingToRepeat: Record<NotificationStatus, string> = {
  Draft: notYet,
  Scheduled: notYet,
  Recurring: notYet,
  Sending: notYet,
  Delivered: notYet,
  "Partially Delivered": notYet,
  Failed: "It failed before anything went out. Fix it, then send it.",
  Cancelled: "It was cancelled. Copy it to a new notification to send it.",
};

/** How many of what is scheduled are named. */
const NAMED = 5;

type Status = { status: NotificationStatus };

/** Notifications, schedules and templates, apart from what the gate finds about a message (findings.ts). */
export const messages = {
  "recipient-deleted": says<{ index: number }>(
    "unknown-recipient",
    "This group or person has been deleted. Choose again.",
    { fields: ({ index }) => beside("This group or person has been deleted. Choose again.", index) },
  ),
  "value-from-record": says<{ index: number; field: string }>("invalid-input", valueFromRecord, {
    fields: (one) => ({ [`recipients.${one.index}.values.${one.field}`]: valueFromRecord(one) }),
  }),
  "two-values": says<{ index: number; field: string }>("invalid-input", twoValues, {
    fields: (one) => ({ [`recipients.${one.index}.values.${one.field}`]: twoValues(one) }),
  }),
  "homes-unknown": says<{ index: number }>(
    "unknown-recipient",
    "There are no such homes, or their property is archived. Choose again.",
    {
      fields: ({ index }) =>
        beside("There are no such homes, or their property is archived. Choose again.", index),
    },
  ),
  "recipient-unknown": says<Unknown>("unknown-recipient", unknownText, {
    fields: (params) => beside(unknownText(params), params.index),
  }),
  "recipient-ambiguous": says<Ambiguous>("ambiguous-recipient", ambiguousText, {
    fields: (params) => beside(ambiguousText(params), params.index),
  }),

  "already-on-its-way": says("conflict", "It is already on its way, or can no longer be sent."),
  "nothing-to-stop": says<Status>("conflict", ({ status }) => nothingToStop[status]),
  "nothing-to-repeat": says<Status>("conflict", ({ status }) => nothingToRepeat[status]),
  "not-a-draft": says("conflict", "Only a draft can be deleted. What was planned or sent stays on record."),
  "draft-in-schedule": says<{ schedule: string }>(
    "conflict",
    ({ schedule }) =>
      `The schedule “${isolated(schedule)}” sends this draft. Choose something else there first.`,
  ),
  "draft-was-recurring": says(
    "conflict",
    "This draft was a recurring notification. What it sent stays on record.",
  ),
  "gone-out": says(
    "conflict",
    "This notification has gone out, so it can't be changed. Copy it to a new one.",
  ),
  "time-without-status": says<Status>(
    "invalid-input",
    ({ status }) => `It is ${status.toLowerCase()}. To schedule it again, also set the status to Scheduled.`,
    { field: "scheduled_time" },
  ),
  "status-set-by-sending": says<Status>(
    "invalid-input",
    ({ status }) => `Status can be set to Draft, Scheduled or Recurring. ${status} is set by sending`,
    { field: "status" },
  ),
  "no-time-chosen": says("invalid-input", "Choose a date and time", { field: "scheduled_time" }),
  "no-recurrence": says(
    "invalid-input",
    "This notification has no recurrence. Create a recurring one instead.",
    { field: "status" },
  ),
  "not-cancelled": says("conflict", "It is no longer cancelled."),
  "cancelled-under-way": says("conflict", "It was cancelled while it was going out. Copy it to a new one."),
  "no-time-of-its-own": says("conflict", "It has no time of its own. Edit it to schedule it again."),
  "needs-no-attention": says("conflict", "It no longer needs attention."),
  "more-unreached": says<{ missed: number }>(
    "conflict",
    ({ missed }) => `By now, ${people(missed)} weren't reached. Check them first.`,
  ),
  "notification-saved-already": says<{
    title: string;
    names: readonly string[];
    /** How many recipients there are beyond them. */
    more: number;
    channels: readonly Channel[];
  }>("already-taken", ({ title, names, more, channels }) => {
    const whom = [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
    const ways = channels.map((channel) => channelMeaning[channel].choice).join(" and ");
    return `"${isolated(title)}" was already saved${whom && ` for ${isolated(whom)}`}${ways && ` by ${ways}`}. Your changes since then have not been saved.`;
  }),

  "no-such-schedule": says("not-found", "Schedule not found"),
  "no-such-run": says("not-found", "This run doesn't exist"),
  "run-skipped": says("conflict", "This run was skipped. Run the schedule now instead."),
  "run-neither-missed-nor-failed": says("conflict", "This run wasn't missed and didn't fail to start."),
  "next-run-changed": says("conflict", "The next run has changed. Check it and try again."),
  "run-not-skipped": says("conflict", "This run is not skipped, or its time has passed."),
  "no-longer-late": says("conflict", "They have been written to already, or it is no longer their date."),
  "no-date-chosen": says("invalid-input", "Choose a date", { field: "date" }),
  "type-unknown": says("invalid-input", "Type must be Email, SMS, Push, or several of them", {
    field: "type",
  }),
  "text-of-a-notification": says(
    "invalid-input",
    "It repeats a recurring notification. Edit that notification to change what it says.",
  ),
  "recurring-once": says("invalid-input", "A recurring notification repeats daily, weekly or monthly", {
    field: "recurrence",
  }),
  "calendar-link-invalid": says("not-found", "This calendar link is not valid anymore"),
  "schedule-saved-already": says<{ name: string }>(
    "already-taken",
    ({ name }) => `"${isolated(name)}" was already saved. Your changes since then have not been saved.`,
  ),
  "a-scheduled-notification": says(
    "conflict",
    "This is a scheduled notification. Change it under Notifications.",
  ),
  "plans-being-changed": says<{ recipient: string }>(
    "conflict",
    ({ recipient }) =>
      `Something scheduled for this ${recipient} is being changed right now. Try again in a moment.`,
  ),
  "recipient-in-use": says<{ name: string; uses: readonly ScheduledUse[] }>(
    "conflict",
    ({ name, uses }) => {
      const titles = uses.slice(0, NAMED).map(({ title }) => `“${isolated(title)}”`);
      const more = uses.length > NAMED ? ` and ${uses.length - NAMED} more` : "";
      return `“${isolated(name)}” is a recipient of scheduled messages: ${titles.join(", ")}${more}. Remove it there first, or delete it anyway.`;
    },
    { fields: ({ uses }) => scheduledFields(uses) },
  ),

  "no-such-template": says("not-found", "This template no longer exists."),
  "template-in-schedules": says<{ names: readonly string[]; total: number }>(
    "conflict",
    ({ names, total }) => {
      const listed = names.map((name) => isolated(name)).join(", ");
      const more = total > names.length ? ` and ${total - names.length} more` : "";
      return `${listed}${more} still ${total === 1 ? "uses" : "use"} this template. Choose another template there first.`;
    },
  ),
  "nothing-to-test": says("invalid-input", "Write a message first.", { field: "message" }),
  "test-unreachable": says<{ why: string }>(
    "empty-audience",
    ({ why }) => `We can't send a test to you. ${why}`.trim(),
    { field: "type" },
  ),
};
