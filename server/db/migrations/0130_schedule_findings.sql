-- What is wrong with a schedule, as codes with parameters. `problem` is the same as text, for processes of the build
-- before, which read and write that alone: what they write takes the place of the findings.
ALTER TABLE schedules ADD COLUMN findings jsonb;

CREATE FUNCTION forget_findings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.findings := NULL;
  RETURN NEW;
END $$;

CREATE TRIGGER schedules_forget_findings BEFORE UPDATE OF problem ON schedules FOR EACH ROW
  WHEN (NEW.problem IS DISTINCT FROM OLD.problem AND NEW.findings IS NOT DISTINCT FROM OLD.findings)
  EXECUTE FUNCTION forget_findings();
