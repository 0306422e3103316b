-- needs 0061_worker_journal.sql
-- Which messages workers have begun to send and how they ended, until that is settled on the deliveries. A row is one
-- commit. A table of few rows, so that what must be on disk before a message leaves is written quickly, and settled later,
-- many at a time. Older builds don't read it and would resend messages that it lists as begun.
CREATE TABLE worker_journal (
  token bigint NOT NULL,                        -- the worker's
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  begun bigint[] NOT NULL,                      -- deliveries that may be on the wire from now on
  claims integer[] NOT NULL,                    -- for each of them, `deliveries.claims`
  ended json NOT NULL,                          -- `Change` of record.ts: what became of others
  PRIMARY KEY (token, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- How often it was claimed: what is written late or repeated about an earlier claim changes nothing.
ALTER TABLE deliveries ADD COLUMN claims integer NOT NULL DEFAULT 0;

-- Adds a row with those deliveries that may begin: none if the lease is over, and none of a cancelled run. Ending a
-- lease and cancelling a run both lock the worker's row before they look at its journal, so nothing begins unseen. A
-- function, because runs have to be read after that lock is granted.
CREATE FUNCTION begin_deliveries(worker bigint, ids bigint[], claims integer[], run_ids bigint[], outcomes json)
RETURNS TABLE (entry bigint, began timestamptz, begun bigint[]) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM workers w WHERE w.token = worker AND w.lease_until > now() FOR KEY SHARE;
  IF FOUND THEN
    RETURN QUERY
      WITH allowed AS (
        SELECT d.id, d.claim FROM unnest(ids, begin_deliveries.claims, run_ids) AS d (id, claim, run_id)
        WHERE NOT EXISTS (SELECT FROM runs r WHERE r.id = d.run_id AND r.state = 'cancelled')
      )
      INSERT INTO worker_journal AS j (token, begun, claims, ended)
      SELECT worker, ARRAY(SELECT a.id FROM allowed a), ARRAY(SELECT a.claim FROM allowed a), outcomes
      RETURNING j.id, j.at, j.begun;
  END IF;
END $$;
