-- A row of a person, a run or an account is never deleted, so these found nothing, and cost a fifth of spreading a run:
-- each new delivery locked its person's row, which rewrote every page of the list of persons.
ALTER TABLE deliveries
  DROP CONSTRAINT deliveries_run_id_fkey,
  DROP CONSTRAINT deliveries_user_id_fkey,
  DROP CONSTRAINT deliveries_provider_id_fkey;

-- Who has changed since a run began is looked for among all. Persons are written one after another, so a range of pages
-- has about the same time, and this index costs next to nothing.
CREATE INDEX users_updated ON users USING brin (updated_at) WITH (pages_per_range = 16);
