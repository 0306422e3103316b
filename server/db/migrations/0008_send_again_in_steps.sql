-- Sending again goes in steps that anybody may go on with; an index that only receipts would use goes.

-- A wish to send again what did not arrive. Each step judges the next deliveries in order of their ids.
CREATE TABLE resends (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id bigint NOT NULL REFERENCES runs (id),
  unconfirmed boolean NOT NULL,                 -- also what may have arrived
  cursor bigint NOT NULL DEFAULT 0,             -- the last delivery that was judged
  requeued integer NOT NULL DEFAULT 0,
  unreachable integer NOT NULL DEFAULT 0,       -- messages that cannot go even now
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX resends_open ON resends (run_id) WHERE finished_at IS NULL;

-- No provider of today sends receipts, which alone would be looked up by it, and every accepted message pays for it.
DROP INDEX deliveries_provider_message;
