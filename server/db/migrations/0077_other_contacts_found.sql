CREATE INDEX CONCURRENTLY users_other_contacts ON users USING gin (lower(other_contacts) gin_trgm_ops)
  WHERE other_contacts <> '' AND deleted_at IS NULL;
