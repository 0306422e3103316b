CREATE INDEX CONCURRENTLY residencies_by_move_out ON residencies (last_day) WHERE last_day IS NOT NULL;
