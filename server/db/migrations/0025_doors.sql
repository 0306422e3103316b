-- How much a person has uploaded today is asked at each upload.
CREATE INDEX attachments_uploads ON attachments (uploaded_by, created_at);
