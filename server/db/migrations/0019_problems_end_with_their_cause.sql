-- What is amiss with a schedule is looked for between its runs, too; what was found that way goes with its cause.
ALTER TABLE schedules ADD COLUMN problem_code text; -- of the error that a run met or would meet; null: something else
