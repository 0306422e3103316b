CREATE INDEX CONCURRENTLY audit_found ON audit USING gin (fold(search_text) gin_trgm_ops);
