-- A server that refuses what a message says refuses it for everyone. That is about the run, not about its people.
ALTER TABLE refusals ADD COLUMN of_content boolean NOT NULL DEFAULT false;

-- An account refuses the content of a run: until then it gets none of it.
CREATE TABLE refused_contents (
  run_id bigint NOT NULL,
  account_id bigint NOT NULL,
  reason text NOT NULL,                         -- the provider's own words
  at timestamptz NOT NULL DEFAULT now(),
  tries integer NOT NULL DEFAULT 1,
  retry_at timestamptz NOT NULL,
  PRIMARY KEY (run_id, account_id)
);
