-- A provider becomes an account: a channel has any number of them, also several of one kind.

ALTER TABLE providers RENAME TO accounts;
ALTER INDEX providers_pkey RENAME TO accounts_pkey;
ALTER TABLE accounts DROP CONSTRAINT providers_channel_source_kind_key;
ALTER TABLE accounts
  -- From the environment: what tells it from the others there, so that a restart finds its row.
  ADD COLUMN environment_key text UNIQUE,
  -- Its share of the channel's messages beside the other accounts' weights; 0: only what they cannot take.
  ADD COLUMN weight integer NOT NULL DEFAULT 1 CHECK (weight BETWEEN 0 AND 100),
  -- As its transport declares them, without secrets.
  ADD COLUMN settings jsonb NOT NULL DEFAULT '{}',
  -- Nothing leaves this installation: it serves a channel only while no other account of it is enabled.
  ADD COLUMN simulated boolean NOT NULL DEFAULT false;
UPDATE accounts SET simulated = true WHERE source = 'built-in';
UPDATE accounts SET environment_key = kind || ' ' || name WHERE source = 'environment';

ALTER TABLE deliveries RENAME COLUMN provider_id TO account_id;
ALTER TABLE attempts RENAME COLUMN provider_id TO account_id;
ALTER TABLE receipts RENAME COLUMN provider_id TO account_id;
