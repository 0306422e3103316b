-- As with email addresses (0095): a number that someone entered for themselves may be anyone's. Numbers on file so far
-- stay usable.
ALTER TABLE users ADD COLUMN phone_unconfirmed boolean NOT NULL DEFAULT false;
ALTER TABLE users ALTER COLUMN phone_valid SET EXPRESSION AS (
  coalesce(trim(phone) ~ '^\+[1-9][0-9]{6,14}$', false) AND NOT phone_unconfirmed);
ANALYZE users;
