-- What is to be said (notifications), what was said (content_versions), to whom and with what outcome (deliveries).

CREATE TABLE templates (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug text UNIQUE,                             -- 'rent-reminder': the name that the written calls use
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('Email', 'SMS', 'Push')),
  subject text NOT NULL DEFAULT '',
  content text NOT NULL,
  class text NOT NULL DEFAULT 'general' CHECK (class IN ('emergency', 'transactional', 'general')),
  created_by bigint REFERENCES users (id),
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Content-addressed, in the database so that every process and every backup has them.
CREATE TABLE attachment_bytes (
  sha256 bytea PRIMARY KEY,
  bytes bytea NOT NULL
);
ALTER TABLE attachment_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL; -- images and PDFs do not compress again

CREATE TABLE attachments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sha256 bytea NOT NULL REFERENCES attachment_bytes (sha256),
  name text NOT NULL,
  type text NOT NULL,                           -- media type found in the content, not claimed by the name
  size integer NOT NULL,
  uploaded_by bigint REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE notifications (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  message_type text NOT NULL CHECK (message_type IN ('template', 'custom')),
  template_id bigint REFERENCES templates (id),
  subject text NOT NULL DEFAULT '',             -- of the e-mail; empty: the title
  content text NOT NULL,                        -- the message with its {{fields}}; for a template, its text at that time
  field_values jsonb NOT NULL DEFAULT '{}',     -- what was typed for the fields that no person fills
  channels text[] NOT NULL CHECK (cardinality(channels) > 0),
  audience jsonb NOT NULL,                      -- [{ type: 'group'|'user', id, name }]
  audience_text text NOT NULL,                  -- the names, for showing and searching
  class text NOT NULL DEFAULT 'general' CHECK (class IN ('emergency', 'transactional', 'general')),
  status text NOT NULL CHECK (status IN
    ('Draft', 'Scheduled', 'Recurring', 'Sending', 'Delivered', 'Partially Delivered', 'Failed', 'Cancelled')),
  status_reason text,                           -- why it failed before anything could go out, in words
  scheduled_time timestamptz,
  recurrence jsonb,                             -- { kind, day?, time, zone }
  sent_time timestamptz,                        -- when its run started
  attachment_ids bigint[] NOT NULL DEFAULT '{}',
  client_key text,
  created_by bigint REFERENCES users (id),
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  search_text text GENERATED ALWAYS AS (lower(title || ' ' || audience_text || ' ' || status)) STORED,
  UNIQUE (created_by, client_key)
);
CREATE INDEX notifications_newest ON notifications ((coalesce(sent_time, scheduled_time, updated_at)) DESC, id DESC);
CREATE INDEX notifications_due ON notifications (scheduled_time) WHERE status = 'Scheduled';
CREATE INDEX notifications_search ON notifications USING gin (search_text gin_trgm_ops);

CREATE TABLE content_versions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  notification_id bigint NOT NULL REFERENCES notifications (id),
  title text NOT NULL,
  subject text NOT NULL,
  content text NOT NULL,
  field_values jsonb NOT NULL,
  attachment_ids bigint[] NOT NULL,
  compiled jsonb NOT NULL,                      -- subject, text, html, sms and push with their places for fields
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One execution.
CREATE TABLE runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  notification_id bigint NOT NULL REFERENCES notifications (id),
  content_version_id bigint NOT NULL REFERENCES content_versions (id),
  schedule_id bigint,
  occurrence text,
  class text NOT NULL,
  channels text[] NOT NULL,
  audience jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('fanning-out', 'sending', 'finished', 'cancelled')),
  planned_for timestamptz,                      -- null: sent at once
  fanout_cursor bigint NOT NULL DEFAULT 0,      -- the last user id that was spread
  people integer NOT NULL DEFAULT 0,            -- persons spread so far
  opened integer NOT NULL DEFAULT 0,
  clicked integer NOT NULL DEFAULT 0,
  simulated boolean NOT NULL DEFAULT false,     -- at least one delivery went to the Sandbox
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  UNIQUE NULLS NOT DISTINCT (notification_id, schedule_id, occurrence)
);
CREATE INDEX runs_open ON runs (id) WHERE state IN ('fanning-out', 'sending');

-- How many deliveries of a run stand where and why: the sum over the shards. Every statement that moves deliveries
-- moves these with them, so that no screen ever counts a large table. Each worker has a shard of its own, because
-- a row stays locked until its statement is on disk: one row for all would make them wait for each other.
CREATE TABLE run_counts (
  run_id bigint NOT NULL REFERENCES runs (id),
  channel text NOT NULL,
  status text NOT NULL,
  reason text NOT NULL DEFAULT '',              -- '': none
  shard smallint NOT NULL DEFAULT 0,
  count integer NOT NULL,                       -- below 0 where another shard counted the arrival
  PRIMARY KEY (run_id, channel, status, reason, shard)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

CREATE SEQUENCE lease_tokens;

-- A process that sends. What it has claimed is its own until `lease_until`, by this database's clock; then others
-- take it over and its token opens nothing any more.
CREATE TABLE workers (
  token bigint PRIMARY KEY DEFAULT nextval('lease_tokens'),
  name text NOT NULL,                           -- host and process, for the log
  started_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz NOT NULL
);

-- One configured account. Secrets of an account that comes from the environment stay in the environment.
CREATE TABLE providers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel text NOT NULL CHECK (channel IN ('email', 'sms', 'push')),
  kind text NOT NULL,                           -- 'sandbox', 'smtp', …
  name text NOT NULL,                           -- shown to people: 'smtp.example.com'
  source text NOT NULL CHECK (source IN ('built-in', 'environment', 'console')),
  enabled boolean NOT NULL DEFAULT true,
  -- resting: nobody was reached, anyone may try again at retry_at. paused: its test must succeed first.
  state text NOT NULL DEFAULT 'ok' CHECK (state IN ('unchecked', 'ok', 'resting', 'paused')),
  state_reason text,                            -- the provider's own words
  state_at timestamptz NOT NULL DEFAULT now(),
  retry_at timestamptz,                         -- nothing is handed to it before
  setbacks integer NOT NULL DEFAULT 0,          -- pauses and rests since it last took a message
  rate_per_second double precision,             -- null: no limit
  tokens double precision NOT NULL DEFAULT 0,
  tokens_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (channel, source, kind)
);
INSERT INTO providers (channel, kind, name, source) VALUES
  ('email', 'sandbox', 'Sandbox', 'built-in'),
  ('sms', 'sandbox', 'Sandbox', 'built-in'),
  ('push', 'sandbox', 'Sandbox', 'built-in');

CREATE TABLE deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id bigint NOT NULL REFERENCES runs (id),
  user_id bigint NOT NULL REFERENCES users (id),
  channel text NOT NULL CHECK (channel IN ('email', 'sms', 'push')),
  address text,                                 -- normalised; null: skipped for want of one
  status text NOT NULL CHECK (status IN
    ('queued', 'sending', 'accepted', 'delivered', 'bounced', 'failed', 'uncertain', 'skipped', 'cancelled', 'expired')),
  reason text,                                  -- a code of contract/delivery.ts
  detail text,                                  -- the provider's own words
  priority smallint NOT NULL,                   -- 0 emergency, 1 transactional, 2 general
  due_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,          -- every try
  -- What counts against the limits, since it was queued or sent again:
  failures smallint NOT NULL DEFAULT 0,         -- tries that did not get through
  unconfirmed smallint NOT NULL DEFAULT 0,      -- tries whose answer never came
  lost_leases smallint NOT NULL DEFAULT 0,      -- claims whose process died before it began to send
  lease_token bigint,                           -- of the worker that claimed it last
  begun_at timestamptz,                         -- committed before the first byte of the current try goes out
  provider_id bigint REFERENCES providers (id),
  provider_message_id text,
  field_values jsonb NOT NULL DEFAULT '{}',     -- frozen: what the person's fields said when the run spread
  person_name text NOT NULL,                    -- frozen, so that it stays provable after the person is gone
  person_unit text,
  accepted_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
-- One person has one row a channel in a run, and one address is used once a run.
CREATE UNIQUE INDEX deliveries_person ON deliveries (run_id, user_id, channel);
CREATE UNIQUE INDEX deliveries_address ON deliveries (run_id, channel, address) WHERE status <> 'skipped';
CREATE INDEX deliveries_ready ON deliveries (channel, priority, due_at, id) WHERE status = 'queued';
-- Two processes died with it in hand: it is sent alone.
CREATE INDEX deliveries_suspect ON deliveries (channel, due_at) WHERE status = 'queued' AND lost_leases >= 2;
CREATE INDEX deliveries_leased ON deliveries (lease_token) WHERE status = 'sending';
CREATE INDEX deliveries_uncertain ON deliveries (due_at) WHERE status = 'uncertain';
CREATE INDEX deliveries_status ON deliveries (run_id, status, id);
CREATE INDEX deliveries_user ON deliveries (user_id, id DESC);
CREATE INDEX deliveries_provider_message ON deliveries (provider_id, provider_message_id)
  WHERE provider_message_id IS NOT NULL;

-- Append-only: one try of one delivery, written with its outcome. A try under way is `deliveries.begun_at`.
CREATE TABLE attempts (
  delivery_id bigint NOT NULL,
  n integer NOT NULL,
  provider_id bigint NOT NULL,
  lease_token bigint NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  outcome text NOT NULL CHECK (outcome IN
    ('accepted', 'refused', 'throttled', 'unavailable', 'misconfigured', 'uncertain')),
  code text,
  detail text,                                  -- the provider's own words
  next_try_at timestamptz,
  PRIMARY KEY (delivery_id, n)
);

-- Append-only: what else happened to one delivery.
CREATE TABLE delivery_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id bigint NOT NULL REFERENCES deliveries (id),
  at timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL CHECK (kind IN ('sent-again', 'taken-over', 'repeated')),
  detail text
);
CREATE INDEX delivery_events_delivery ON delivery_events (delivery_id, at);

CREATE TABLE receipts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider_id bigint NOT NULL REFERENCES providers (id),
  event_id text NOT NULL,
  delivery_id bigint REFERENCES deliveries (id),
  kind text NOT NULL,
  at timestamptz NOT NULL,
  body jsonb NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, event_id)
);
