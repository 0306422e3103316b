-- Two-factor sign-in: an authenticator app, passkeys and recovery codes; and when a session's person last proved who
-- they are.

-- What an authenticator app and the server both make codes from (RFC 6238).
CREATE TABLE totp_secrets (
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- No code has shown yet that the app has it; the one before stays good until then.
  pending boolean NOT NULL,
  -- Encrypted with the key of the accounts' passwords.
  secret text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The 30 seconds whose code was used last: no code works twice.
  last_step bigint,
  PRIMARY KEY (user_id, pending)
);

CREATE TABLE passkeys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- Grows with each use on devices that count; a copy would fall behind.
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- Argon2id of each code with a salt that the codes of one person share.
CREATE TABLE recovery_codes (
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  salt bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

-- A sign-in whose first step is done: it opens nothing but the second one. Without a person, a passkey will say who.
CREATE TABLE pending_sign_ins (
  token_hash bytea PRIMARY KEY,
  user_id bigint REFERENCES users (id) ON DELETE CASCADE,
  shared_computer boolean NOT NULL,
  expires_at timestamptz NOT NULL
);

-- What a passkey signs, once: the token is that of a session or of a pending sign-in.
CREATE TABLE passkey_challenges (
  token_hash bytea PRIMARY KEY,
  challenge text NOT NULL,
  expires_at timestamptz NOT NULL
);

ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz NOT NULL DEFAULT now();
UPDATE sessions SET confirmed_at = created_at;
