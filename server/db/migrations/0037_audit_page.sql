-- The audit as people read it: what each row is about by name, the browser it came from, and its filters.

ALTER TABLE audit
  ADD COLUMN user_agent text,
  ADD COLUMN subject_name text;

-- The name at the time. What was deleted in the same transaction is named by the row's own detail.
CREATE FUNCTION audit_subject_name(type text, id bigint, detail jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(CASE type
    WHEN 'user' THEN (SELECT trim(trim(u.first_name) || ' ' || trim(u.last_name)) FROM users u WHERE u.id = $2)
    WHEN 'notification' THEN (SELECT n.title FROM notifications n WHERE n.id = $2)
    WHEN 'template' THEN (SELECT t.name FROM templates t WHERE t.id = $2)
    WHEN 'schedule' THEN (SELECT coalesce(s.name, n.title) FROM schedules s
      LEFT JOIN notifications n ON n.id = s.notification_id WHERE s.id = $2)
    WHEN 'group' THEN (SELECT g.name FROM user_groups g WHERE g.id = $2)
    WHEN 'account' THEN (SELECT a.name FROM accounts a WHERE a.id = $2)
    WHEN 'attachment' THEN (SELECT f.name FROM attachments f WHERE f.id = $2)
  END, detail ->> 'name', detail ->> 'title', '')
$$;

CREATE FUNCTION name_audit_subject() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.subject_name := audit_subject_name(NEW.subject_type, NEW.subject_id, NEW.detail);
  RETURN NEW;
END $$;
CREATE TRIGGER audit_named BEFORE INSERT ON audit FOR EACH ROW WHEN (NEW.subject_name IS NULL)
  EXECUTE FUNCTION name_audit_subject();

UPDATE audit SET subject_name = audit_subject_name(subject_type, subject_id, detail);

ALTER TABLE audit
  ALTER COLUMN subject_name SET NOT NULL,
  ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (
    lower(subject_name || ' ' || actor_name || ' ' || coalesce(detail ->> 'address', '') || ' ' || coalesce(ip, ''))) STORED;

CREATE INDEX audit_search ON audit USING gin (search_text gin_trgm_ops);
-- Each filter is a walk from its newest row. The action last lets the walk pass over other kinds inside the index.
DROP INDEX audit_newest;
CREATE INDEX audit_newest ON audit (at DESC, id DESC, action);
DROP INDEX audit_actor;
CREATE INDEX audit_actor ON audit (actor_id, at DESC, id DESC, action);
CREATE INDEX audit_action ON audit (action, at DESC, id DESC);

-- Why an address is blocked, as a filter; who blocked it, if a person did.
ALTER TABLE suppressions
  ADD COLUMN kind text NOT NULL DEFAULT 'bounce' CHECK (kind IN ('bounce', 'complaint', 'unsubscribe', 'manual')),
  ADD COLUMN actor_id bigint REFERENCES users (id);
CREATE INDEX suppressions_newest ON suppressions (created_at DESC, channel, address);
