-- Why we set an account back, as a code with parameters. `state_reason` is the same as text, or the provider's own words.
-- Whoever writes that alone, such as a process of the build before, takes the code away.
ALTER TABLE accounts ADD COLUMN state_because jsonb;

CREATE FUNCTION forget_state_because() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.state_because := NULL;
  RETURN NEW;
END $$;

CREATE TRIGGER accounts_forget_state_because BEFORE UPDATE OF state_reason ON accounts FOR EACH ROW
  WHEN (NEW.state_reason IS DISTINCT FROM OLD.state_reason AND NEW.state_because IS NOT DISTINCT FROM OLD.state_because)
  EXECUTE FUNCTION forget_state_because();
