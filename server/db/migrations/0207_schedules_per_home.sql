-- Null: as the message that it sends.
ALTER TABLE schedules ADD COLUMN per_home boolean;
