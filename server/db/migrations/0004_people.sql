-- People as their managers and they themselves change them: corrected homes, one-time links.

-- Property and unit were corrected by hand: they hold as long as property_unit says the same.
ALTER TABLE users ADD COLUMN home_by_hand boolean NOT NULL DEFAULT false;

-- 'credentials': a one-time link for one person. Listed with that person, not among what staff wrote.
ALTER TABLE notifications ADD COLUMN kind text NOT NULL DEFAULT 'message' CHECK (kind IN ('message', 'credentials'));

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
