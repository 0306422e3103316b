CREATE INDEX CONCURRENTLY imports_finished ON imports (finished_at) WHERE finished_at IS NOT NULL;
