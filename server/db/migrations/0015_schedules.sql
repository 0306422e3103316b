-- Schedules: a rule in local time, what it sends and to whom. Of its runs only the next one is stored as an instant.

CREATE TABLE schedules (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text,                                    -- null: the title of the notification that it repeats
  recurrence text NOT NULL CHECK (recurrence IN ('daily', 'weekly', 'monthly', 'once')),
  day_of_week smallint CHECK (day_of_week BETWEEN 0 AND 6),
  day_of_month smallint CHECK (day_of_month BETWEEN 1 AND 31),
  date text,                                    -- of a calendar, yyyy-MM-dd: no instant
  time text NOT NULL,                           -- HH:mm
  end_time text,                                -- null: a run may start until the day ends
  zone text,                                    -- null: the organisation's
  active boolean NOT NULL DEFAULT true,
  next_run_at timestamptz,                      -- null: paused, or nothing is left to run
  next_occurrence text,                         -- the day of `next_run_at` in the rule
  planned_zone text,                            -- by which `next_run_at` was worked out; where that is another one by now, it is again
  template_id bigint REFERENCES templates (id) ON DELETE SET NULL,
  notification_id bigint REFERENCES notifications (id),
  -- The notification is a recurring one, made to be repeated: what is null here stands there.
  own_notification boolean NOT NULL DEFAULT false,
  channels text[] CHECK (cardinality(channels) > 0),
  audience jsonb,                               -- as in notifications
  audience_text text,
  field_values jsonb NOT NULL DEFAULT '{}',     -- text, or a date relative to the run (contract/text/relative-date.ts)
  connected_channels text[] NOT NULL DEFAULT '{}', -- those that had an account when it was last saved or run
  problem text,                                 -- why it cannot run as it is, in words
  problem_at timestamptz,
  client_key text,
  client_key_hash bytea,                        -- SHA-256 of the body that came with the key
  created_by bigint REFERENCES users (id),
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,                       -- in no list any more; its runs stay on record
  UNIQUE (created_by, client_key),
  CHECK (notification_id IS NOT NULL OR NOT own_notification),
  CHECK (own_notification OR (name IS NOT NULL AND channels IS NOT NULL AND audience IS NOT NULL))
);
CREATE INDEX schedules_due ON schedules (next_run_at) WHERE active AND deleted_at IS NULL;
CREATE UNIQUE INDEX schedules_own_notification ON schedules (notification_id) WHERE own_notification;

-- What became of one occurrence. The key is the promise: it runs once, whoever and how many try.
CREATE TABLE schedule_occurrences (
  schedule_id bigint NOT NULL REFERENCES schedules (id),
  occurrence text NOT NULL,                     -- the rule's day, yyyy-MM-dd; 'now …' where a person ran it out of turn
  planned_for timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('started', 'missed', 'failed', 'skipped')),
  reason text,                                  -- why it was missed or could not be started, in words
  notification_id bigint UNIQUE REFERENCES notifications (id), -- what it sent
  by_name text,                                 -- who ran, skipped or sent it; null: nobody but the schedule
  dismissed_at timestamptz,                     -- a person knows that it was missed and leaves it
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (schedule_id, occurrence),
  CHECK ((state = 'started') = (notification_id IS NOT NULL))
);
CREATE INDEX schedule_occurrences_planned ON schedule_occurrences (planned_for);
-- Every page of every person asks how many of these there are since they last looked.
CREATE INDEX schedule_occurrences_not_run ON schedule_occurrences (at)
  WHERE state IN ('missed', 'failed') AND dismissed_at IS NULL;

-- Recurring notifications have become schedules. They are planned by the scheduler when it first sees them.
INSERT INTO schedules (recurrence, day_of_week, day_of_month, time, zone, notification_id, own_notification,
  created_by, created_by_name, created_at, deleted_at)
SELECT recurrence ->> 'kind',
  CASE WHEN recurrence ->> 'kind' = 'weekly' THEN (recurrence ->> 'day')::smallint END,
  CASE WHEN recurrence ->> 'kind' = 'monthly' THEN (recurrence ->> 'day')::smallint END,
  recurrence ->> 'time',
  nullif(recurrence ->> 'zone',
    coalesce((SELECT value FROM settings WHERE key = 'timezone'), 'America/New_York')),
  id, true, created_by, created_by_name, created_at, CASE WHEN status <> 'Recurring' THEN updated_at END
FROM notifications WHERE recurrence IS NOT NULL AND status <> 'Draft';
ALTER TABLE notifications DROP COLUMN recurrence;

-- Each run has a notification of its own, also a schedule's.
ALTER TABLE runs DROP COLUMN schedule_id, DROP COLUMN occurrence, ADD UNIQUE (notification_id);

-- The secret links by which calendar programs read the schedules: one a person, until it is withdrawn.
CREATE TABLE calendar_links (
  user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,             -- SHA-256; the token itself is never stored
  created_at timestamptz NOT NULL DEFAULT now(),
  last_read_at timestamptz
);
