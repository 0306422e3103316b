-- What is left of a sign-in's hardening, and providers' calls that must not come twice.

-- Wrong codes for a second factor, and those being checked. Kept for a week: so long they count (two-factor/code-limit.ts).
CREATE TABLE wrong_codes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- A browser in which the person has signed in before, or all others together.
  origin text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The person got a notice because of it.
  noticed boolean NOT NULL DEFAULT false
);
CREATE INDEX wrong_codes_user ON wrong_codes (user_id, at);

-- The domain that a passkey works at (WebAuthn's RP ID). Null: it was added before this was stored, and not used since.
ALTER TABLE passkeys ADD COLUMN rp_id text;

-- What a provider signs for one call alone, where its signature does not cover what the call says.
CREATE TABLE webhook_tokens (
  account_id bigint NOT NULL REFERENCES accounts (id),
  token text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, token)
);
