-- The channels of a person as data, so that a further channel needs no migration.

DROP INDEX users_by_name, users_by_role, users_by_property;

-- A bit for each channel that is turned on, by its place in the list of contract/delivery.ts. 3: email and SMS.
ALTER TABLE users ADD COLUMN channels integer NOT NULL DEFAULT 3;
UPDATE users SET channels = receive_email::int | (receive_sms::int << 1) | (receive_push::int << 2);

-- Whether the address on file looks right, so that 100,000 people are filtered without reading each address again.
ALTER TABLE users
  DROP COLUMN open_email, DROP COLUMN open_sms, DROP COLUMN open_push,
  DROP COLUMN receive_email, DROP COLUMN receive_sms, DROP COLUMN receive_push,
  ADD COLUMN email_valid boolean NOT NULL
    GENERATED ALWAYS AS (coalesce(lower(trim(email)) ~ '^[^\s@]+@[^\s@]+$', false)) STORED,
  ADD COLUMN phone_valid boolean NOT NULL
    GENERATED ALWAYS AS (coalesce(trim(phone) ~ '^\+[1-9][0-9]{6,14}$', false)) STORED;

CREATE INDEX users_by_name ON users (lower(last_name), lower(first_name), id)
  INCLUDE (last_name, first_name, role, property, channels, email_valid, phone_valid) WHERE deleted_at IS NULL;
CREATE INDEX users_by_role ON users (role, lower(last_name), lower(first_name), id)
  INCLUDE (last_name, first_name, property, channels, email_valid, phone_valid) WHERE deleted_at IS NULL;
CREATE INDEX users_by_property ON users (property, lower(last_name), lower(first_name), id)
  INCLUDE (last_name, first_name, role, unit, channels, email_valid, phone_valid) WHERE deleted_at IS NULL;
ANALYZE users;

-- The contract lists the channels, nothing else does.
DO $$
DECLARE listed record;
BEGIN
  FOR listed IN
    SELECT c.conrelid::regclass AS of_table, c.conname FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
    WHERE c.contype = 'c' AND a.attname = 'channel' AND c.connamespace = current_schema()::regnamespace
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', listed.of_table, listed.conname);
  END LOOP;
END $$;
