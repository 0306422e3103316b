-- People: preference links that end with the address they went to, and a search that finds what the list shows.

CREATE FUNCTION fresh_preferences_token() RETURNS text LANGUAGE sql VOLATILE
  RETURN left(encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex'), 40);
ALTER TABLE users ALTER COLUMN preferences_token SET DEFAULT fresh_preferences_token();

-- Whoever got a mail by a mistyped address must not keep the key to this person's preferences. A trigger, because
-- forms, profiles and imports all write addresses. The same address in other letters is no other address.
CREATE FUNCTION renew_preferences_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.preferences_token := fresh_preferences_token();
  RETURN NEW;
END $$;
CREATE TRIGGER users_email_changed BEFORE UPDATE OF email ON users FOR EACH ROW
  WHEN (lower(trim(OLD.email)) IS DISTINCT FROM lower(trim(NEW.email)))
  EXECUTE FUNCTION renew_preferences_token();

-- A home corrected by hand is found by what it was corrected to.
ALTER TABLE users
  DROP COLUMN search_text,
  ADD COLUMN search_text text GENERATED ALWAYS AS (
    lower(first_name || ' ' || last_name || ' ' || username || ' ' || coalesce(email, '') || ' ' ||
          coalesce(phone, '') || ' ' || coalesce(property_unit, '') || ' ' || coalesce(property, '') || ' ' ||
          coalesce(unit, ''))
  ) STORED;
CREATE INDEX users_search ON users USING gin (search_text gin_trgm_ops) WHERE deleted_at IS NULL;
ANALYZE users;
