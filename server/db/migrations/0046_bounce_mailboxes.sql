-- Bounces that come by mail to an account's mailbox.
CREATE TABLE bounce_mailboxes (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,                -- of another one, what was read before says nothing
  uid_validity text,
  last_uid bigint,                   -- as far as it was read
  read_at timestamptz,
  problem text,                      -- why it could not be read the last time
  next_read_at timestamptz NOT NULL  -- while one process reads it: when another may take over
);

-- Message-IDs are signed with it, so that no one who got one message can name another in a bounce.
UPDATE content_versions SET compiled = compiled || jsonb_build_object('secret', gen_random_uuid());
