-- Why a notification has its status, as 0130 does for schedules.
ALTER TABLE notifications ADD COLUMN findings jsonb;

CREATE TRIGGER notifications_forget_findings BEFORE UPDATE OF status_reason ON notifications FOR EACH ROW
  WHEN (NEW.status_reason IS DISTINCT FROM OLD.status_reason AND NEW.findings IS NOT DISTINCT FROM OLD.findings)
  EXECUTE FUNCTION forget_findings();
