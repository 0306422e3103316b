CREATE INDEX CONCURRENTLY user_groups_sorted ON user_groups (place, name_key, id);
