import { type RawBuilder, sql } from "kysely";
import { AppError, type ErrorCode } from "#contract/errors.ts";
import { askedFields, TemplateError } from "#contract/text/message-fields.ts";
import { valuesForRun } from "#contract/text/relative-date.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { answered, missingFields, unfilled } from "#server/messages/fields.ts";
import { notifyPages } from "../hints.ts";
import { noteProblem } from "./run-due.ts";
import { audienceOf, messageOf, refuseLostChannel, shortfallOf } from "./run-notification.ts";
import { lockSchedule, scheduleColumns, scheduleSource, type StoredSchedule } from "./schedule.ts";

/**
 * Problems that show before the run; those without a code are recipients that are gone. Others, such as an empty group,
 * appear when it runs or when someone saves it.
 */
const foreseeable: readonly (ErrorCode | null)[] = ["not-found", "unavailable", "missing-field-values", null];

/**
 * Marks active schedules whose next run could not start or would go without some of its recipients, as far as that can
 * be known, and unmarks those that are fixed. `which` is a condition on `s`: whoever removes something checks the
 * schedules that use it, and the scheduler checks all of them regularly.
 */
export async function foreseeProblems(db: Db, which: RawBuilder<unknown> = sql`true`): Promise<void> {
  const { rows } = await sql<StoredSchedule>`
    SELECT ${scheduleColumns} FROM ${scheduleSource}
    WHERE s.active AND s.deleted_at IS NULL AND s.next_occurrence IS NOT NULL AND ${which} ORDER BY s.id`.execute(
    db,
  );
  const doubtful: number[] = [];
  for (const schedule of rows) {
    if (differs(schedule, await foresee(db, schedule))) doubtful.push(schedule.id);
  }
  for (const id of doubtful) {
    await transaction(db, async (tx) => {
      // A schedule that someone is changing or starting right now is checked next time.
      const schedule = await lockSchedule(
        tx,
        sql`s.id = ${id} AND s.active AND s.next_occurrence IS NOT NULL`,
        "SKIP LOCKED",
      );
      if (!schedule) return;
      const problem = await foresee(tx, schedule);
      if (!differs(schedule, problem)) return;
      await noteProblem(tx, id, problem);
      await notifyPages(tx, { type: "schedules" });
    });
  }
}

function differs({ problem, problemCode }: StoredSchedule, foreseen: AppError | string | null): boolean {
  if (problem !== null && !foreseeable.includes(problemCode)) return false;
  return problem !== (foreseen instanceof AppError ? foreseen.message : foreseen);
}

async function foresee(db: Db, schedule: StoredSchedule): Promise<AppError | string | null> {
  try {
    const { title, subject, content, fieldValues } = await messageOf(db, schedule);
    const { gone } = await audienceOf(db, schedule);
    await refuseLostChannel(db, schedule);
    const values = {
      ...fieldValues,
      ...valuesForRun(schedule.fieldValues, schedule.nextOccurrence ?? ""),
    };
    const missing = missingFields(askedFields(title, subject, content), answered(values));
    return missing.length > 0 ? unfilled(missing) : await shortfallOf(db, schedule, gone);
  } catch (error) {
    if (error instanceof AppError) return error;
    // Text with such braces cannot be saved.
    if (error instanceof TemplateError) return null;
    throw error;
  }
}
