-- What an import did to whom, so that it can be looked at and undone (docs/decisions/0235-what-an-import-did.md).

ALTER TABLE imports
  ADD COLUMN finished_at timestamptz,
  ADD COLUMN result jsonb,                   -- counts as they were when it finished
  ADD COLUMN undo jsonb,                     -- how far it has been undone; null: it hasn't
  ADD COLUMN covers bigint[];                -- the properties that its rows name, as far as they are on file

-- What changed of each person is in the audit log. No reference to people: most are as many as a file has rows.
CREATE TABLE import_people (
  import_id bigint NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  person_id bigint NOT NULL,
  -- leaving: moved out once the rows are imported, unless one is about them. seen: a row that wasn't imported is.
  kind text NOT NULL CHECK (kind IN ('leaving', 'seen', 'same', 'changed', 'out', 'new')),
  at timestamptz NOT NULL DEFAULT now(),     -- of the transaction that did it last
  joined bigint[],                           -- groups that someone on file was added to
  undone text,                               -- 'done', or why it couldn't be; null: not yet
  PRIMARY KEY (import_id, person_id)
);
