-- It only confirms to one number that it gets nothing more, so it goes there although the number has opted out.
ALTER TABLE notifications ADD COLUMN answers_opt_out boolean NOT NULL DEFAULT false;
