-- Why staff turned a channel on again for someone who had turned it off: who asked, how and when.
ALTER TABLE consents ADD COLUMN request text;
