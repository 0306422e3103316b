-- The dashboard counts the runs of the last weeks.
CREATE INDEX runs_created ON runs (created_at);
