-- needs 0051_months.sql
-- What grows with every message is partitioned by month: docs/decisions/0051-partitions.md.

-- The ids of a run and of its deliveries begin with the month in which the run began: 202611000000042. So an id alone
-- says in which partition to look. Ids from before are in month 0.
CREATE SEQUENCE run_ids MAXVALUE 999999999 CYCLE;
CREATE SEQUENCE delivery_ids MAXVALUE 999999999 CYCLE;
CREATE SEQUENCE delivery_event_ids;

CREATE FUNCTION month_of(at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYYMM')::bigint $$;
CREATE FUNCTION next_run_id() RETURNS bigint LANGUAGE sql AS $$
  SELECT month_of(now()) * 1000000000 + nextval('run_ids') $$;
CREATE FUNCTION next_delivery_id(run_id bigint) RETURNS bigint LANGUAGE sql AS $$
  SELECT run_id / 1000000000 * 1000000000 + nextval('delivery_ids') $$;

ALTER TABLE runs ALTER COLUMN id DROP IDENTITY;
ALTER TABLE runs ALTER COLUMN id SET DEFAULT next_run_id();

-- Workers look for runs whose cancelling was interrupted.
CREATE INDEX runs_cancelled ON runs (id) WHERE state = 'cancelled';

-- Like others before: what they refer to is never deleted, or with them.
ALTER TABLE delivery_events DROP CONSTRAINT delivery_events_delivery_id_fkey;
ALTER TABLE refusals DROP CONSTRAINT refusals_delivery_id_fkey;

ALTER TABLE deliveries ALTER COLUMN id DROP IDENTITY;
ALTER TABLE delivery_events ALTER COLUMN id DROP IDENTITY, DROP CONSTRAINT delivery_events_pkey;
SELECT setval('delivery_ids', (SELECT coalesce(max(id), 0) + 1 FROM deliveries), false),
  setval('delivery_event_ids', (SELECT coalesce(max(id), 0) + 1 FROM delivery_events), false);

DO $$
DECLARE
  parent text;
  index text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['deliveries', 'attempts', 'delivery_events', 'run_people'] LOOP
    FOR index IN SELECT indexname FROM pg_indexes WHERE schemaname = current_schema AND tablename = parent LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', index, parent || '_0' || substr(index, length(parent) + 1));
    END LOOP;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', parent, parent || '_0');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES EXCLUDING STATISTICS)
      PARTITION BY RANGE (%I)', parent, parent || '_0',
      CASE WHEN parent IN ('deliveries', 'run_people') THEN 'run_id' ELSE 'delivery_id' END);
  END LOOP;
END $$;

-- Its primary key is the id in each partition, whose check keeps other months away. A key of the whole would have to
-- contain run_id, and then two runs could share an id.
CREATE UNIQUE INDEX deliveries_person ON deliveries (run_id, user_id, channel);
CREATE UNIQUE INDEX deliveries_address ON deliveries (run_id, channel, address) WHERE status <> 'skipped';
CREATE INDEX deliveries_ready ON deliveries (channel, simulated, priority, due_at, id) WHERE status = 'queued';
CREATE INDEX deliveries_suspect ON deliveries (channel, due_at) WHERE status = 'queued' AND lost_leases >= 2;
CREATE INDEX deliveries_leased ON deliveries (lease_token) WHERE status = 'sending';
CREATE INDEX deliveries_uncertain ON deliveries (due_at) WHERE status = 'uncertain';
CREATE INDEX deliveries_provider_message ON deliveries (account_id, provider_message_id)
  WHERE provider_message_id IS NOT NULL;
CREATE INDEX deliveries_texted ON deliveries (address, id DESC) WHERE channel = 'sms';

ALTER TABLE attempts ADD PRIMARY KEY (delivery_id, n);

ALTER TABLE delivery_events ADD PRIMARY KEY (delivery_id, id);
ALTER TABLE delivery_events ALTER COLUMN id SET DEFAULT nextval('delivery_event_ids');
CREATE INDEX delivery_events_replied ON delivery_events (at) WHERE kind = 'replied';

ALTER TABLE run_people ADD PRIMARY KEY (user_id, run_id);
CREATE INDEX run_people_place ON run_people (run_id, place, user_id);

-- Makes a table part of its parent, as the partition of this month.
CREATE FUNCTION attach_month(parent text, month bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- A wrong id would never be found again.
  IF parent = 'deliveries' THEN
    EXECUTE format('ALTER TABLE %I ADD CHECK (id >= %s AND id < %s)', parent || '_' || month, month * 1000000000,
      (month + 1) * 1000000000);
  END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', parent, parent || '_' || month,
    month * 1000000000, (month + 1) * 1000000000);
END $$;

-- Creates a month's partitions unless they exist. To attach a table holds up neither reading nor writing; to create it
-- as a partition would.
CREATE FUNCTION create_month(month bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
BEGIN
  IF to_regclass('deliveries_' || month) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(7462051);
  IF to_regclass('deliveries_' || month) IS NOT NULL THEN RETURN; END IF;
  FOREACH parent IN ARRAY ARRAY['deliveries', 'attempts', 'delivery_events', 'run_people'] LOOP
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', parent || '_' || month, parent);
    EXECUTE format('ALTER TABLE %I SET (%s autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)',
      parent || '_' || month,
      CASE parent WHEN 'deliveries' THEN 'fillfactor = 70,' WHEN 'run_people' THEN 'fillfactor = 80,' ELSE '' END);
    IF parent = 'deliveries' THEN
      EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id)', parent || '_' || month);
    END IF;
    PERFORM attach_month(parent, month);
  END LOOP;
END $$;

-- What was sent before becomes one partition, as it is.
DO $$
DECLARE
  parent text;
  sent boolean := EXISTS (SELECT FROM deliveries_0);
BEGIN
  FOREACH parent IN ARRAY ARRAY['deliveries', 'attempts', 'delivery_events', 'run_people'] LOOP
    IF sent THEN
      PERFORM attach_month(parent, 0);
    ELSE
      EXECUTE format('DROP TABLE %I', parent || '_0');
    END IF;
  END LOOP;
END $$;

SELECT create_month(month_of(now())), create_month(month_of(now() + interval '1 month'));
