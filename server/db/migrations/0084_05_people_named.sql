-- A hash, because a name can be longer than a row of another index.
CREATE INDEX CONCURRENTLY users_named ON users USING hash (fold(first_name || ' ' || last_name)) WHERE deleted_at IS NULL;
