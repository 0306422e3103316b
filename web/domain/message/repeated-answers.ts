import type { MessageForm, NotificationForm } from "#contract/calls/notifications.ts";
import { nextRuns, type Rule } from "#contract/recurrence.ts";
import { valuesForRun, type ScheduleValue } from "#contract/text/relative-date.ts";
import { answersOf } from "#web/domain/message/values.ts";
import type { OrganizationClock } from "#web/domain/organization-clock.ts";

/** The values of a recurring message, some of which each run calculates. */
type Answers = Pick<MessageForm, "fieldValues" | "relativeDates">;

/** The values for the call: those that the message needs and that are filled in. */
export function repeatedAnswers(form: Answers, asked: readonly string[]): Record<string, ScheduleValue> {
  const dates = Object.entries(form.relativeDates).filter(([field]) => asked.includes(field));
  return { ...answersOf(form, asked), ...Object.fromEntries(dates) };
}

type Recurrence = Pick<NotificationForm, "recurrence" | "recurringDay" | "recurringTime">;

/** The rule of a recurring notification, whose single day is a weekday or a day of the month. */
export function recurringRule({ recurrence, recurringDay, recurringTime }: Recurrence, zone: string): Rule {
  return {
    recurrence,
    dayOfWeek: recurrence === "weekly" ? recurringDay : null,
    dayOfMonth: recurrence === "monthly" ? recurringDay : null,
    time: recurringTime,
    zone,
  };
}

/** The values that the next run would send, or that a run today would, while there is no rule. */
export function answersOfNextRun(
  { fieldValues, relativeDates }: Answers,
  rule: Rule | null | undefined,
  clock: Pick<OrganizationClock, "read"> | undefined,
): Record<string, string> {
  const day = (rule && nextRuns(rule, new Date(), 1)[0]?.date) ?? clock?.read().day;
  return day === undefined ? fieldValues : { ...fieldValues, ...valuesForRun(relativeDates, day) };
}
