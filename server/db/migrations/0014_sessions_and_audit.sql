-- Streams that end with their session, and what is asked of the audit.

-- Whoever ends sessions need not know who listens: open event streams ask at once whether they may go on.
CREATE FUNCTION tell_of_ended_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('porchlight', '{"type":"sessions"}');
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_ended AFTER DELETE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION tell_of_ended_sessions();

-- What was refused a moment ago, and how much a person has exported lately.
CREATE INDEX audit_newest ON audit (at DESC);
CREATE INDEX audit_actor ON audit (actor_id, at DESC);
