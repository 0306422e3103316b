-- An address that someone entered for themselves may be anyone's: until the link sent there is used, nothing else is.
-- Addresses on file so far stay usable, except those of people who registered and never confirmed theirs.
ALTER TABLE users ADD COLUMN email_unconfirmed boolean NOT NULL DEFAULT false;

-- Part of the column that the indexes hold, so that no search and no count reads more than before. It is no generated
-- column anymore: with another expression, every row would be written anew while no one can read any.
ALTER TABLE users ALTER COLUMN email_valid DROP EXPRESSION;

CREATE FUNCTION judge_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.email_valid := coalesce(lower(trim(NEW.email)) ~ '^[^\s@]+@[^\s@]+$', false)
    AND NOT NEW.email_unconfirmed AND NEW.address_confirmed_at IS NOT NULL;
  RETURN NEW;
END $$;

CREATE TRIGGER users_email_judged BEFORE INSERT OR UPDATE OF email, email_unconfirmed, address_confirmed_at ON users
  FOR EACH ROW EXECUTE FUNCTION judge_address();

UPDATE users SET email_valid = false WHERE email_valid AND address_confirmed_at IS NULL;
