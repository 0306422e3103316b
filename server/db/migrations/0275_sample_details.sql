-- The sample property brings details of people, and takes them with it when it is removed.
ALTER TABLE details ADD COLUMN of_sample boolean NOT NULL DEFAULT false;
