-- Who registers openly proves the address first, and a closed browser learns that it was signed out.

-- Null: they registered themselves and have not confirmed their address, so they fit no group's rule. Everyone else was
-- entered by someone who knows them.
ALTER TABLE users ADD COLUMN address_confirmed_at timestamptz DEFAULT now();

-- What a one-time link does: it sets a password or confirms the address that it went to.
ALTER TABLE password_links
  ADD COLUMN purpose text NOT NULL DEFAULT 'password' CHECK (purpose IN ('password', 'confirmation'));

-- 'confirmation': a link by which someone who registered confirms their address.
ALTER TABLE notifications DROP CONSTRAINT notifications_kind_check;
ALTER TABLE notifications ADD CONSTRAINT notifications_kind_check
  CHECK (kind IN ('message', 'credentials', 'test', 'notice', 'confirmation'));

-- A browser that was closed has no session left by which it could be told that it was signed out elsewhere.
ALTER TABLE known_browsers ADD COLUMN signed_out_at timestamptz;
