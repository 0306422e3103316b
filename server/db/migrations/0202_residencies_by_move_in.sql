CREATE INDEX CONCURRENTLY residencies_by_move_in ON residencies (first_day) WHERE first_day IS NOT NULL;
