-- Which notices a person has opened. Those from before this build count as read.
CREATE TABLE notice_reads (
  user_id bigint NOT NULL REFERENCES users (id),
  run_id bigint NOT NULL,
  read_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, run_id)
);

DO $$
BEGIN
  EXECUTE format('ALTER TABLE users ADD COLUMN notices_read_through bigint NOT NULL DEFAULT %s',
    (SELECT coalesce(max(id), 0) FROM runs));
END $$;
