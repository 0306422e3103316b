-- Schedules that go by residents' dates (docs/decisions/0205-residents-dates.md). What an older build reads of one is a
-- one-time schedule without a day and without recipients, which never runs.
ALTER TABLE schedules
  ADD COLUMN resident_date text CHECK (resident_date IN ('move-in', 'move-out', 'lease-end')),
  ADD COLUMN day_offset smallint,               -- days after the date; before it if negative
  ADD COLUMN date_audience jsonb,               -- instead of `audience`
  ADD COLUMN dates_since text,                  -- since when it is active with this rule
  ADD COLUMN dates_day text,                    -- the first day in the rule that is still to be looked at
  ADD COLUMN dates_at timestamptz,              -- when that day's run would start
  ADD COLUMN next_date_at timestamptz,          -- the next run for someone who is on file by now
  ADD COLUMN next_date_day text;

-- Who was written to for which date: once per person, schedule and date. The notification says what they got.
CREATE TABLE resident_dates (
  schedule_id bigint NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  person_id bigint NOT NULL,
  resident_date text NOT NULL,
  date date NOT NULL,
  residency_id bigint NOT NULL,
  notification_id bigint NOT NULL,
  PRIMARY KEY (schedule_id, person_id, resident_date, date)
);
CREATE INDEX resident_dates_of_notification ON resident_dates (notification_id, person_id);
