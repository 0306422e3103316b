-- As its notification says when the run begins.
ALTER TABLE runs ADD COLUMN per_home boolean NOT NULL DEFAULT false;
