-- When a template was last used is read from what was made with it: a message, a run of a schedule.
ALTER TABLE templates DROP COLUMN last_used_at;
CREATE INDEX notifications_template_use ON notifications (template_id, (coalesce(sent_time, created_at)))
  WHERE template_id IS NOT NULL AND status <> 'Draft';
CREATE INDEX schedules_template ON schedules (template_id) WHERE template_id IS NOT NULL AND deleted_at IS NULL;
