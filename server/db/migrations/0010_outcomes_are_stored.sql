-- What became of each person of a run is stored when it happens, so that no screen deduces it.

-- Channels that had no account but the Sandbox when the run began: their messages go there and nowhere else.
ALTER TABLE runs ADD COLUMN simulated_channels text[] NOT NULL DEFAULT '{}';

ALTER TABLE deliveries
  ADD COLUMN simulated boolean NOT NULL DEFAULT false,  -- goes to the Sandbox
  -- Counts toward its person's outcome. False: it is simulated while other channels of its run are real.
  ADD COLUMN counted boolean NOT NULL DEFAULT true,
  -- Of a skipped delivery with the reason same-address: the delivery that goes to that address; null: none does now.
  ADD COLUMN shared_with bigint,
  -- The other way round: the persons who share this delivery's address. They stand here, and not only in their own
  -- rows, because whoever moves this delivery moves them with it, and must see those who were added a moment before.
  ADD COLUMN sharers bigint[];

-- One person of a run. A digit of the hexadecimal tally is how many of the person's messages came to one outcome:
-- from the left delivered, sent, shared, waiting, unconfirmed, cancelled, failed, skipped, opted-out. So a message
-- moves by adding one number, whoever moves the others at the same time, and the leading digit is the outcome.
CREATE TABLE run_people (
  user_id bigint NOT NULL,
  run_id bigint NOT NULL,
  tally bigint NOT NULL,
  moved bigint NOT NULL DEFAULT 0,              -- the last change of it: what it was before is the difference
  -- Where the list has the person: 0 failed, 1 skipped, 2 waiting, 3 reached and waiting for more, 4 reached,
  -- 5 opted out, 6 cancelled.
  place smallint NOT NULL GENERATED ALWAYS AS (
    CASE length(to_hex(tally))
      WHEN 1 THEN 5 WHEN 2 THEN 1 WHEN 3 THEN 0 WHEN 4 THEN 6 WHEN 5 THEN 2 WHEN 6 THEN 2
      ELSE CASE WHEN tally & x'ff0000'::bigint <> 0 THEN 3 ELSE 4 END
    END) STORED,
  PRIMARY KEY (user_id, run_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX run_people_place ON run_people (run_id, place, user_id);

-- How many persons of a run came to what: the sum over the shards, as run_counts has it for deliveries.
CREATE TABLE run_outcomes (
  run_id bigint NOT NULL REFERENCES runs (id),
  outcome text NOT NULL,
  waiting boolean NOT NULL,                     -- a message of theirs may still change by itself
  shard smallint NOT NULL DEFAULT 0,
  count integer NOT NULL,
  PRIMARY KEY (run_id, outcome, waiting, shard)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Whom a resend has still to look at. Those who share an address come last: only then it is known which addresses
-- are no longer used.
CREATE TABLE resend_people (
  resend_id bigint NOT NULL REFERENCES resends (id) ON DELETE CASCADE,
  sharing boolean NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (resend_id, sharing, user_id)
);
-- Also to people who were reached on another channel.
ALTER TABLE resends ADD COLUMN include_reached boolean NOT NULL DEFAULT false;

-- From here on: what is already there.

WITH served AS (
  SELECT r.id AS run_id, c.channel, c.place,
    coalesce(bool_or(NOT a.simulated), false)
      OR coalesce(bool_or(d.status IN ('queued', 'sending')), false) AND open.account AS real,
    coalesce(bool_or(a.simulated), false) AS simulated,
    r.state IN ('fanning-out', 'sending') AND NOT open.account AS without
  FROM runs r
  CROSS JOIN unnest(r.channels) WITH ORDINALITY c (channel, place)
  CROSS JOIN LATERAL (
    SELECT EXISTS (SELECT FROM accounts a WHERE a.channel = c.channel AND a.enabled AND NOT a.simulated) AS account
  ) open
  LEFT JOIN deliveries d ON d.run_id = r.id AND d.channel = c.channel
  LEFT JOIN accounts a ON a.id = d.account_id
  GROUP BY r.id, c.channel, c.place, open.account
), found AS (
  SELECT run_id, bool_or(real) AS real, bool_or(simulated OR without) AS simulated,
    array_agg(channel ORDER BY place) AS channels,
    array_agg(channel ORDER BY place) FILTER (WHERE NOT real AND (simulated OR without)) AS only_simulated
  FROM served GROUP BY run_id
)
UPDATE runs r SET simulated_channels = CASE WHEN f.real THEN coalesce(f.only_simulated, '{}') ELSE f.channels END
FROM found f WHERE f.run_id = r.id AND f.simulated;

UPDATE deliveries d SET
  simulated = coalesce((SELECT a.simulated FROM accounts a WHERE a.id = d.account_id), r.aside),
  counted = NOT r.aside OR r.all_simulated
FROM (
  SELECT r.id, c.channel, c.channel = ANY(r.simulated_channels) AS aside,
    r.simulated_channels @> r.channels AS all_simulated
  FROM runs r CROSS JOIN unnest(r.channels) c (channel)
) r
WHERE r.id = d.run_id AND r.channel = d.channel
  AND (r.aside OR d.account_id IN (SELECT id FROM accounts a WHERE a.simulated));

UPDATE deliveries d SET shared_with = h.id FROM deliveries h
WHERE d.status = 'skipped' AND d.reason = 'same-address' AND h.run_id = d.run_id AND h.channel = d.channel
  AND h.address = d.address AND h.status <> 'skipped';
UPDATE deliveries h SET sharers = s.users
FROM (SELECT shared_with, array_agg(user_id) AS users FROM deliveries WHERE shared_with IS NOT NULL GROUP BY 1) s
WHERE h.id = s.shared_with;

INSERT INTO run_people (user_id, run_id, tally)
SELECT d.user_id, d.run_id, coalesce(sum(CASE
    WHEN h.status IN ('accepted', 'delivered') THEN x'1000000'::bigint
    ELSE CASE coalesce(h.status, d.status)
      WHEN 'delivered' THEN x'100000000'::bigint
      WHEN 'accepted' THEN x'10000000'::bigint
      WHEN 'queued' THEN x'100000'::bigint
      WHEN 'sending' THEN x'100000'::bigint
      WHEN 'uncertain' THEN x'10000'::bigint
      WHEN 'cancelled' THEN x'1000'::bigint
      WHEN 'skipped' THEN CASE d.reason WHEN 'opted-out' THEN 1 WHEN 'person-removed' THEN x'1000'::bigint
        ELSE x'10'::bigint END
      ELSE x'100'::bigint
    END
  END) FILTER (WHERE d.counted), x'10'::bigint)
FROM deliveries d LEFT JOIN deliveries h ON h.id = d.shared_with
GROUP BY d.user_id, d.run_id;

INSERT INTO run_outcomes (run_id, outcome, waiting, count)
SELECT run_id, (ARRAY['opted-out', 'skipped', 'failed', 'cancelled', 'unconfirmed', 'waiting', 'shared', 'sent',
    'delivered'])[length(to_hex(tally))], tally & x'ff0000'::bigint <> 0, count(*)
FROM run_people GROUP BY 1, 2, 3;

-- Delivered means that everyone was reached or had opted out, also in what was sent before.
UPDATE notifications n SET status = f.status
FROM (
  SELECT r.notification_id, CASE
      WHEN coalesce(sum(o.count) FILTER (WHERE o.outcome IN ('delivered', 'sent', 'shared')), 0) = 0 THEN 'Failed'
      WHEN coalesce(sum(o.count) FILTER (WHERE o.outcome IN ('failed', 'skipped')), 0) = 0 THEN 'Delivered'
      ELSE 'Partially Delivered' END AS status
  FROM runs r LEFT JOIN run_outcomes o ON o.run_id = r.id
  WHERE r.state = 'finished' AND r.id = (SELECT max(id) FROM runs x WHERE x.notification_id = r.notification_id)
  GROUP BY r.notification_id
) f
WHERE n.id = f.notification_id AND n.status IN ('Delivered', 'Partially Delivered', 'Failed') AND n.status <> f.status;

INSERT INTO resend_people (resend_id, sharing, user_id)
SELECT s.id, bool_or(d.reason IS NOT DISTINCT FROM 'same-address'), d.user_id
FROM resends s JOIN deliveries d ON d.run_id = s.run_id
WHERE s.finished_at IS NULL AND (d.status IN ('failed', 'bounced', 'expired', 'skipped')
  OR s.unconfirmed AND d.status = 'uncertain')
GROUP BY s.id, d.user_id;
UPDATE resends SET include_reached = true;

ALTER TABLE resends DROP COLUMN cursor;
ALTER TABLE runs DROP COLUMN simulated;

-- Every move of a delivery writes to each index of its table: lists read run_people instead.
DROP INDEX deliveries_status;
DROP INDEX deliveries_user;
DROP INDEX deliveries_ready;
CREATE INDEX deliveries_ready ON deliveries (channel, simulated, priority, due_at, id) WHERE status = 'queued';
