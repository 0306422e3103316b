-- Two people may have one name, and both change: a row keeps who they were then. Rows from before keep only the id.
ALTER TABLE audit
  ADD COLUMN actor_username text,
  ADD COLUMN actor_role text,
  ADD COLUMN subject_username text;

CREATE OR REPLACE FUNCTION name_audit_subject() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.subject_name := audit_subject_name(NEW.subject_type, NEW.subject_id, NEW.detail);
  IF NEW.actor_id IS NOT NULL THEN
    SELECT username, role INTO NEW.actor_username, NEW.actor_role FROM users WHERE id = NEW.actor_id;
  END IF;
  IF NEW.subject_type = 'user' AND NEW.subject_id IS NOT NULL THEN
    SELECT username INTO NEW.subject_username FROM users WHERE id = NEW.subject_id;
  END IF;
  RETURN NEW;
END $$;
