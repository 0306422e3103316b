-- A million notifications: a page is read from an index alone, and its total from counters.

ALTER TABLE notifications ADD COLUMN list_time timestamptz NOT NULL
  GENERATED ALWAYS AS (coalesce(sent_time, scheduled_time, updated_at)) STORED;
DROP INDEX notifications_newest;
CREATE INDEX notifications_newest ON notifications (list_time DESC, id DESC) INCLUDE (status, channels)
  WHERE kind = 'message';
CREATE INDEX notifications_by_status ON notifications (status, list_time DESC, id DESC) INCLUDE (channels)
  WHERE kind = 'message';
CREATE INDEX notifications_failed ON notifications (updated_at, id)
  WHERE kind = 'message' AND status IN ('Failed', 'Partially Delivered');

-- How many messages have which status and channels: the sum of the rows. Each change adds a row of its own, so nobody
-- waits for anybody; maintenance adds them up from time to time.
CREATE TABLE notification_tallies (
  status text NOT NULL,
  channels text[] NOT NULL,
  count integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Triggers, because a dozen statements all over the house change a status.
CREATE FUNCTION tally_new_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notification_tallies
    SELECT status, channels, count(*) FROM changed WHERE kind = 'message' GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE FUNCTION tally_gone_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notification_tallies
    SELECT status, channels, -count(*) FROM changed WHERE kind = 'message' GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE FUNCTION tally_changed_notification() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notification_tallies VALUES (OLD.status, OLD.channels, -1), (NEW.status, NEW.channels, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER notifications_added AFTER INSERT ON notifications REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_new_notifications();
CREATE TRIGGER notifications_removed AFTER DELETE ON notifications REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_gone_notifications();
CREATE TRIGGER notifications_changed AFTER UPDATE ON notifications FOR EACH ROW
  WHEN (NEW.kind = 'message' AND (OLD.status, OLD.channels) IS DISTINCT FROM (NEW.status, NEW.channels))
  EXECUTE FUNCTION tally_changed_notification();

INSERT INTO notification_tallies
  SELECT status, channels, count(*) FROM notifications WHERE kind = 'message' GROUP BY 1, 2;
ANALYZE notifications;
