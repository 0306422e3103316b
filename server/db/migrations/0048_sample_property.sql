-- The rows that the sample property added. What hangs on them, such as deliveries, is found through them. Empty: it is
-- not loaded.
CREATE TABLE sample_rows (
  kind text NOT NULL CHECK (kind IN ('user', 'group', 'template', 'schedule', 'notification', 'audit')),
  id bigint NOT NULL,
  PRIMARY KEY (kind, id)
);

-- The person dismissed the first steps on the dashboard, or had done them all.
ALTER TABLE users ADD COLUMN first_steps_closed_at timestamptz;
