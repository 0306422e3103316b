-- What a receipt is about, once a message was retried.

ALTER TABLE deliveries ADD COLUMN round smallint NOT NULL DEFAULT 0;  -- how often someone retried it

-- Where a delivery went before someone retried it: receipts for it may still come.
CREATE TABLE earlier_addresses (
  delivery_id bigint NOT NULL,
  round smallint NOT NULL,
  address text NOT NULL,
  PRIMARY KEY (delivery_id, round)
);

-- Receipts without a reference of ours are looked up by it.
CREATE INDEX deliveries_provider_message ON deliveries (account_id, provider_message_id)
  WHERE provider_message_id IS NOT NULL;
-- A reply belongs to the newest text to its number.
CREATE INDEX deliveries_texted ON deliveries (address, id DESC) WHERE channel = 'sms';

-- The ids of incoming texts outlive their calls: some providers sign no time, so START could be replayed.
ALTER TABLE receipts ALTER COLUMN call_id DROP NOT NULL;
