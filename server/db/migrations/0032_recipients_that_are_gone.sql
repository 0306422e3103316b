-- Groups and people that were deleted while a schedule named them beside others: it goes on without them and says so
-- until someone saves or pauses it.
ALTER TABLE schedules ADD COLUMN gone_recipients jsonb NOT NULL DEFAULT '[]';
