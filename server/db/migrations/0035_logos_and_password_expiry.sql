-- Every logo that emails show, by its hash: what was sent keeps the logo it was sent with.
CREATE TABLE logos (
  hash text PRIMARY KEY,
  -- A data URL.
  image text NOT NULL,
  current boolean NOT NULL
);
CREATE UNIQUE INDEX logos_current ON logos (current) WHERE current;
INSERT INTO logos (hash, image, current)
SELECT left(encode(sha256(convert_to(value, 'UTF8')), 'hex'), 32), value, true
FROM settings WHERE key = 'companyLogo' AND value <> '';

-- The password had expired when this session began: it opens nothing until there is another one.
ALTER TABLE sessions ADD COLUMN password_expired boolean NOT NULL DEFAULT false;
