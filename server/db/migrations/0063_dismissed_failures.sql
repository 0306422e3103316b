-- How many people it had missed when someone took it off "Needs attention". If it misses more, it is back.
ALTER TABLE notifications ADD COLUMN missed_when_dismissed integer;
