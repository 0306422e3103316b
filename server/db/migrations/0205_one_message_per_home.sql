-- Whether each home gets one message (docs/decisions/0206-one-message-per-home.md).
ALTER TABLE notifications ADD COLUMN per_home boolean NOT NULL DEFAULT false;
