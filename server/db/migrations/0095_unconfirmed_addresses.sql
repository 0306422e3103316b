-- An address that someone entered for themselves may be anyone's: until the link sent there is used, nothing else is.
-- Addresses on file so far stay usable, except those of people who registered and never confirmed theirs.
ALTER TABLE users ADD COLUMN email_unconfirmed boolean NOT NULL DEFAULT false;

-- Part of the column that the indexes hold, so that no search and no count reads more than before.
ALTER TABLE users ALTER COLUMN email_valid SET EXPRESSION AS (
  coalesce(lower(trim(email)) ~ '^[^\s@]+@[^\s@]+$', false) AND NOT email_unconfirmed AND address_confirmed_at IS NOT NULL);
ANALYZE users;
