-- Open and click tracking of our own.

-- Signs the addresses in tracked emails. In the database, because a link in an email must work for as long as its
-- message is on record, whatever else is replaced meanwhile.
CREATE TABLE tracking_key (
  key text NOT NULL DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
INSERT INTO tracking_key DEFAULT VALUES;

-- Opens and clicks belong to no provider's call. They are forgotten by themselves.
CREATE INDEX receipts_without_call ON receipts (received_at)
  WHERE call_id IS NULL AND event ->> 'what' <> 'text';
