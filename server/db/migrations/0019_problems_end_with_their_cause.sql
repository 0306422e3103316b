-- What is amiss with a schedule is looked for between its runs, too; what was found that way goes with its cause.
ALTER TABLE schedules ADD COLUMN problem_code text; -- of the error that a run met or would meet; null: something else

-- The calendar and today's list ask for some weeks out of years.
CREATE INDEX notifications_planned ON notifications (scheduled_time) WHERE scheduled_time IS NOT NULL;
