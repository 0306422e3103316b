CREATE INDEX CONCURRENTLY user_groups_named ON user_groups USING hash (fold(name));
