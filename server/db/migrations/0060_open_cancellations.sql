-- Runs that were cancelled, until nothing of them is outstanding. Workers ask every second in which months that is.
CREATE TABLE open_cancellations (
  id bigint PRIMARY KEY  -- the run's
);

-- A trigger, because processes of the build before cancel too.
CREATE FUNCTION note_cancellation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO open_cancellations VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER runs_note_cancellation AFTER UPDATE OF state ON runs FOR EACH ROW
  WHEN (NEW.state = 'cancelled' AND OLD.state <> 'cancelled') EXECUTE FUNCTION note_cancellation();

-- Workers remove those that are over.
INSERT INTO open_cancellations SELECT id FROM runs WHERE state = 'cancelled';
