CREATE INDEX CONCURRENTLY user_groups_found ON user_groups USING gin (folded gin_trgm_ops);
