-- People, their groups and consent, sign-in, settings, audit.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username text NOT NULL,
  email text,
  phone text,                                   -- E.164
  first_name text NOT NULL,
  last_name text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'staff', 'tenant')),
  property_unit text,                           -- as it was written
  property text,                                -- recognised inside property_unit
  unit text,
  password_hash text,                           -- null: this person has no way in yet
  password_changed_at timestamptz,
  receive_email boolean NOT NULL DEFAULT true,
  receive_sms boolean NOT NULL DEFAULT true,
  receive_push boolean NOT NULL DEFAULT false,
  -- Opens this person's own preferences without a login; two random UUIDs hashed carry more than 128 random bits.
  preferences_token text NOT NULL UNIQUE
    DEFAULT left(encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex'), 40),
  failures_seen_at timestamptz NOT NULL DEFAULT now(), -- the bell's dot stands for what failed after this
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,                       -- gone from lists and audiences; what was sent stays provable
  search_text text GENERATED ALWAYS AS (
    lower(first_name || ' ' || last_name || ' ' || username || ' ' || coalesce(email, '') || ' ' ||
          coalesce(phone, '') || ' ' || coalesce(property_unit, ''))
  ) STORED
);
CREATE UNIQUE INDEX users_username ON users (lower(username)) WHERE deleted_at IS NULL;
CREATE INDEX users_email ON users (lower(email)) WHERE deleted_at IS NULL;
CREATE INDEX users_phone ON users (phone) WHERE deleted_at IS NULL;
CREATE INDEX users_name ON users (lower(last_name), lower(first_name), id) WHERE deleted_at IS NULL;
CREATE INDEX users_full_name ON users (lower(first_name || ' ' || last_name)) WHERE deleted_at IS NULL;
CREATE INDEX users_role_property ON users (role, property) WHERE deleted_at IS NULL;
CREATE INDEX users_search ON users USING gin (search_text gin_trgm_ops) WHERE deleted_at IS NULL;

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,                 -- SHA-256 of the cookie's token; the token itself is never stored
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  ip text,
  user_agent text
);
CREATE INDEX sessions_user ON sessions (user_id);

-- Failed sign-ins per account-and-address and per address. Delay grows per key, so an outsider delays
-- only the address that he comes from and never locks an account for its owner.
CREATE TABLE sign_in_throttle (
  key text PRIMARY KEY,
  failures integer NOT NULL,
  blocked_until timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE settings (
  key text PRIMARY KEY,
  value text NOT NULL,
  data_type text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by bigint REFERENCES users (id)
);

CREATE TABLE user_groups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  -- Null: members are picked by hand. Else { roles?: string[], property?: string }, resolved whenever it is read.
  rule jsonb,
  built_in boolean NOT NULL DEFAULT false,
  created_by bigint REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX user_groups_name ON user_groups (lower(name));

CREATE TABLE group_members (
  group_id bigint NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, user_id)
);
CREATE INDEX group_members_user ON group_members (user_id);

INSERT INTO user_groups (name, description, rule, built_in) VALUES
  ('All Tenants', 'Every tenant, as the list stands when a message goes out', '{"roles":["tenant"]}', true),
  ('All Staff', 'Every administrator and staff member', '{"roles":["admin","staff"]}', true),
  ('Everyone', 'All people in Porchlight', '{}', true);

CREATE TABLE consents (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  channel text NOT NULL CHECK (channel IN ('email', 'sms', 'push')),
  allowed boolean NOT NULL,
  source text NOT NULL,                         -- 'console', 'import', 'unsubscribe-link', 'one-click', 'registration'
  actor_id bigint REFERENCES users (id),
  ip text,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX consents_user ON consents (user_id, at DESC);

CREATE TABLE suppressions (
  channel text NOT NULL CHECK (channel IN ('email', 'sms', 'push')),
  address text NOT NULL,                        -- normalised: lower-case e-mail, E.164 number
  reason text NOT NULL,
  source text NOT NULL,                         -- provider kind or 'console'
  delivery_id bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (channel, address)
);

CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id bigint REFERENCES users (id),
  actor_name text NOT NULL,
  action text NOT NULL,                         -- 'notification.send', 'user.import', …
  subject_type text NOT NULL,
  subject_id bigint,
  detail jsonb NOT NULL DEFAULT '{}',
  ip text
);
CREATE INDEX audit_subject ON audit (subject_type, subject_id, at DESC);
