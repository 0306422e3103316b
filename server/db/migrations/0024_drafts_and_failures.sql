-- Missed runs and schedules that cannot run are looked at on another screen than notifications that failed.
ALTER TABLE users ADD COLUMN schedule_failures_seen_at timestamptz NOT NULL DEFAULT now();
UPDATE users SET schedule_failures_seen_at = failures_seen_at;

-- A draft is kept with nothing but a title.
ALTER TABLE notifications DROP CONSTRAINT notifications_channels_check,
  ADD CONSTRAINT notifications_channels_check CHECK (cardinality(channels) > 0 OR status = 'Draft');
