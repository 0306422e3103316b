-- People whom a schedule leaves out at the moment of a run: a condition on one of their details
-- (docs/decisions/0225-conditions-on-details.md). Its message and its run keep it.
ALTER TABLE schedules ADD COLUMN skip_if jsonb;
ALTER TABLE notifications ADD COLUMN skip_if jsonb;
ALTER TABLE runs ADD COLUMN skip_if jsonb;
