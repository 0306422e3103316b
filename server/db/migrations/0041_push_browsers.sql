-- Web Push: the browsers in which people turned notifications on.

CREATE TABLE push_browsers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  endpoint text NOT NULL UNIQUE,                -- at the browser's push service; knowing it is almost being able to push
  p256dh text NOT NULL,                         -- the browser's public key, base64url
  auth text NOT NULL,                           -- its secret, base64url
  server_key text NOT NULL,                     -- the account's public key that the browser accepts, and no other
  name text NOT NULL,                           -- "Firefox on Windows"
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX push_browsers_user ON push_browsers (user_id);

-- The account reaches people only in browsers that were signed up with this public key. Null: anywhere.
ALTER TABLE accounts ADD COLUMN browser_key text;

-- Each push account reaches only the devices that signed up with it, so two cannot take each other's messages.
CREATE UNIQUE INDEX accounts_one_push ON accounts (channel)
  WHERE channel = 'push' AND enabled AND NOT simulated;

-- Who is deleted gets nothing in any browser.
CREATE FUNCTION forget_push_browsers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM push_browsers WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_forget_push_browsers AFTER UPDATE OF deleted_at ON users
  FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL) EXECUTE FUNCTION forget_push_browsers();
