CREATE INDEX CONCURRENTLY notifications_by_values ON notifications (values_id) WHERE values_id IS NOT NULL;
