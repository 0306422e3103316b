import type { MessageForm, NotificationForm } from "#contract/notifications.ts";
import { nextRuns } from "#contract/recurrence.ts";
import type { Rule } from "#contract/recurrence.ts";
import { valuesForRun } from "#contract/relative-date.ts";
import type { ScheduleValue } from "#contract/relative-date.ts";
import { answersOf } from "#web/domain/message/values.ts";
import type { OrganizationClock } from "#web/domain/organization-clock.ts";

/** Of a message that repeats: its values, some of which each run works out. */
type Answers = Pick<MessageForm, "fieldValues" | "relativeDates">;

/** As a call says them: those that the message asks for and that are filled. */
export function repeatedAnswers(form: Answers, asked: readonly string[]): Record<string, ScheduleValue> {
  const dates = Object.entries(form.relativeDates).filter(([field]) => asked.includes(field));
  return { ...answersOf(form, asked), ...Object.fromEntries(dates) };
}

type Recurrence = Pick<NotificationForm, "recurrence" | "recurringDay" | "recurringTime">;

/** The rule of a recurring notification: its one day is of the week or of the month. */
export function recurringRule({ recurrence, recurringDay, recurringTime }: Recurrence, zone: string): Rule {
  return {
    recurrence,
    dayOfWeek: recurrence === "weekly" ? recurringDay : null,
    dayOfMonth: recurrence === "monthly" ? recurringDay : null,
    time: recurringTime,
    zone,
  };
}

/** As the next run of the rule sends them; while there is no rule, as a run today would. */
export function answersOfNextRun(
  { fieldValues, relativeDates }: Answers,
  rule: Rule | null | undefined,
  clock: Pick<OrganizationClock, "read"> | undefined,
): Record<string, string> {
  const day = (rule && nextRuns(rule, new Date(), 1)[0]?.date) ?? clock?.read().day;
  return day === undefined ? fieldValues : { ...fieldValues, ...valuesForRun(relativeDates, day) };
}
