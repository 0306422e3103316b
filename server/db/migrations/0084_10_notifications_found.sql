CREATE INDEX CONCURRENTLY notifications_found ON notifications
  USING gin (fold(search_text) gin_trgm_ops);
