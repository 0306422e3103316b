-- What an account's answers prove, about itself and about the addresses that it refuses.

ALTER TABLE accounts
  ADD COLUMN accepted_at timestamptz,           -- it last accepted a message, to within a few seconds
  -- Its answers to messages set it back, so a connection that works proves nothing: one message is its next test.
  ADD COLUMN on_trial boolean NOT NULL DEFAULT false;

-- A recipient was refused. As long as the account accepts nobody else, the account may be what is wrong.
CREATE TABLE refusals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id bigint NOT NULL REFERENCES deliveries (id),
  account_id bigint NOT NULL REFERENCES accounts (id),
  channel text NOT NULL,
  address text NOT NULL,
  code text NOT NULL,
  detail text,
  bounced boolean NOT NULL,                     -- nobody is there: suppressed once that is certain
  at timestamptz NOT NULL DEFAULT now(),
  requeued_at timestamptz                       -- it was the account; the delivery went back to the queue
);
CREATE INDEX refusals_account ON refusals (account_id, at);
CREATE INDEX refusals_address ON refusals (channel, address, at);
CREATE INDEX refusals_delivery ON refusals (delivery_id);

ALTER TABLE delivery_events DROP CONSTRAINT delivery_events_kind_check;
ALTER TABLE delivery_events ADD CONSTRAINT delivery_events_kind_check
  CHECK (kind IN ('sent-again', 'taken-over', 'repeated', 'requeued', 'answered-late'));
