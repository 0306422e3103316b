-- Accounts that an open session cannot take over.

-- 'notice': tells one person that their own account was changed.
ALTER TABLE notifications DROP CONSTRAINT notifications_kind_check;
ALTER TABLE notifications
  ADD CONSTRAINT notifications_kind_check CHECK (kind IN ('message', 'credentials', 'test', 'notice'));

-- Browsers in which a person has signed in: their tries are not counted with a stranger's from the same address.
CREATE TABLE known_browsers (
  token_hash bytea NOT NULL,                    -- SHA-256 of the browser's cookie
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (token_hash, user_id)
);
CREATE INDEX known_browsers_user ON known_browsers (user_id);
