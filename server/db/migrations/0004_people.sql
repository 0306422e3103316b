-- People as their managers and they themselves change them: corrected homes, one-time links.

-- Property and unit were corrected by hand: they hold as long as property_unit says the same.
ALTER TABLE users ADD COLUMN home_by_hand boolean NOT NULL DEFAULT false;

-- Whether the person wants a channel and has an address for it that looks right: what delivery/person.ts judges, but for
-- suppressions. Kept beside the row, so that 100,000 people are filtered without judging each address anew.
ALTER TABLE users
  ADD COLUMN open_email boolean NOT NULL
    GENERATED ALWAYS AS (receive_email AND coalesce(lower(trim(email)) ~ '^[^\s@]+@[^\s@]+$', false)) STORED,
  ADD COLUMN open_sms boolean NOT NULL
    GENERATED ALWAYS AS (receive_sms AND coalesce(trim(phone) ~ '^\+[1-9][0-9]{6,14}$', false)) STORED,
  ADD COLUMN open_push boolean NOT NULL GENERATED ALWAYS AS (receive_push) STORED;

-- A page of people and its total are read from an index alone, whatever the filter: a key for each order, and with it
-- all that is filtered by. The plain names are there because an expression alone does not allow an index-only scan.
DROP INDEX users_name, users_role_property;
CREATE INDEX users_by_name ON users (lower(last_name), lower(first_name), id)
  INCLUDE (last_name, first_name, role, property, open_email, open_sms, open_push) WHERE deleted_at IS NULL;
CREATE INDEX users_by_role ON users (role, lower(last_name), lower(first_name), id)
  INCLUDE (last_name, first_name, property, open_email, open_sms, open_push) WHERE deleted_at IS NULL;
CREATE INDEX users_by_property ON users (property, lower(last_name), lower(first_name), id)
  INCLUDE (last_name, first_name, role, unit, open_email, open_sms, open_push) WHERE deleted_at IS NULL;

-- By the address as deliveries and suppressions have it.
DROP INDEX users_email, users_phone;
CREATE INDEX users_email ON users (lower(trim(email))) WHERE deleted_at IS NULL;
CREATE INDEX users_phone ON users (trim(phone)) WHERE deleted_at IS NULL;

-- 'credentials': a one-time link for one person. Listed with that person, not among what staff wrote.
ALTER TABLE notifications ADD COLUMN kind text NOT NULL DEFAULT 'message' CHECK (kind IN ('message', 'credentials'));
CREATE INDEX notifications_credentials ON notifications (created_at) WHERE kind = 'credentials';

-- A one-time link by which a person sets a password. It opens while its row is there, has not expired, the address
-- that it went to is still the person's, and the password has not changed since.
CREATE TABLE password_links (
  token_hash bytea PRIMARY KEY,                 -- SHA-256 of the link's token; the token itself is never stored
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  channel text NOT NULL CHECK (channel IN ('email', 'sms')),
  address text NOT NULL,                        -- normalised, as the delivery's
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_links_user ON password_links (user_id);
