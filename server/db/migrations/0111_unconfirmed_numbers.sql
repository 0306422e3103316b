-- As with email addresses (0095): a number that someone entered for themselves may be anyone's. Numbers on file so far
-- stay usable.
ALTER TABLE users ADD COLUMN phone_unconfirmed boolean NOT NULL DEFAULT false;
ALTER TABLE users ALTER COLUMN phone_valid DROP EXPRESSION;

CREATE FUNCTION judge_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.phone_valid := coalesce(trim(NEW.phone) ~ '^\+[1-9][0-9]{6,14}$', false) AND NOT NEW.phone_unconfirmed;
  RETURN NEW;
END $$;

CREATE TRIGGER users_phone_judged BEFORE INSERT OR UPDATE OF phone, phone_unconfirmed ON users
  FOR EACH ROW EXECUTE FUNCTION judge_number();
