-- Months whose deliveries are in files: docs/decisions/0057-retention.md.
CREATE TABLE archived_months (
  month bigint PRIMARY KEY,  -- as ids begin: 202503, or 0
  begun_at timestamptz NOT NULL DEFAULT now(),
  manifest text,             -- what manifest.json says, to the byte; null: the files are not complete
  archived_at timestamptz,   -- from then on, only the files have the rows
  restored_at timestamptz,   -- brought back: the rows are in the database again
  late_receipts bigint NOT NULL DEFAULT 0
);

-- A table that can become the parent's partition of this month.
CREATE FUNCTION create_month_table(parent text, month bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', parent || '_' || month, parent);
  EXECUTE format('ALTER TABLE %I SET (%s autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)',
    parent || '_' || month,
    CASE parent WHEN 'deliveries' THEN 'fillfactor = 70,' WHEN 'run_people' THEN 'fillfactor = 80,' ELSE '' END);
  IF parent = 'deliveries' THEN
    EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id)', parent || '_' || month);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION create_month(month bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
BEGIN
  IF to_regclass('deliveries_' || month) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(7462051);
  IF to_regclass('deliveries_' || month) IS NOT NULL THEN RETURN; END IF;
  FOREACH parent IN ARRAY ARRAY['deliveries', 'attempts', 'delivery_events', 'run_people'] LOOP
    PERFORM create_month_table(parent, month);
    PERFORM attach_month(parent, month);
  END LOOP;
END $$;
