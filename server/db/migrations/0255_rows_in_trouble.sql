-- Whom a row of values in trouble is for, as far as that is known: another row for the same person has to wait for it.
ALTER TABLE import_rows ADD COLUMN people bigint[];
