-- Why a run was missed or couldn't start, as 0130 does for schedules.
ALTER TABLE schedule_occurrences ADD COLUMN findings jsonb;

CREATE TRIGGER schedule_occurrences_forget_findings BEFORE UPDATE OF reason ON schedule_occurrences FOR EACH ROW
  WHEN (NEW.reason IS DISTINCT FROM OLD.reason AND NEW.findings IS NOT DISTINCT FROM OLD.findings)
  EXECUTE FUNCTION forget_findings();
