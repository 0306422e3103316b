-- The link in an email belongs to the address that it went to. Once that is no longer the person's, the link says
-- nothing about them anymore, but still turns the address off.
CREATE TABLE former_preference_links (
  token text PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Normalized as in deliveries and suppressions.
  address text NOT NULL,
  -- The person had only entered it themselves, so it may be anyone's.
  unconfirmed boolean NOT NULL
);
CREATE INDEX former_preference_links_of ON former_preference_links (user_id, address);

CREATE OR REPLACE FUNCTION renew_preferences_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF trim(OLD.email) <> '' THEN
    INSERT INTO former_preference_links (token, user_id, address, unconfirmed)
    VALUES (OLD.preferences_token, OLD.id, lower(trim(OLD.email)),
      OLD.email_unconfirmed OR OLD.address_confirmed_at IS NULL);
  END IF;
  NEW.preferences_token := fresh_preferences_token();
  RETURN NEW;
END $$;
