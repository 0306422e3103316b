-- A session that was ended from elsewhere is remembered as such: its browser then forgets what it kept.
ALTER TABLE sessions ADD COLUMN ended_at timestamptz;

CREATE TRIGGER sessions_ended_elsewhere AFTER UPDATE OF ended_at ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_ended_sessions();
