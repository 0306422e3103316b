-- How urgent a schedule's runs are; null: as the message they send.
ALTER TABLE schedules ADD COLUMN class text CHECK (class IN ('emergency', 'transactional', 'general'));
