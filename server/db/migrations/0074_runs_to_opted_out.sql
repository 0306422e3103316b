-- As its notification says when the run begins.
ALTER TABLE runs ADD COLUMN answers_opt_out boolean NOT NULL DEFAULT false;
