CREATE INDEX CONCURRENTLY users_found ON users USING gin (folded gin_trgm_ops) WHERE deleted_at IS NULL;
