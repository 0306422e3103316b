-- Spreadsheets that are being imported (docs/decisions/0215-spreadsheets.md). Kept for a day, for who uploaded them.
CREATE TABLE imports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  size integer NOT NULL,
  sheets jsonb NOT NULL DEFAULT '[]',    -- name, rows, errors, trouble
  choices jsonb NOT NULL DEFAULT '{}',   -- sheet, header, columns, statuses, property, decisions
  progress jsonb,                        -- null: not begun
  created_by bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX imports_of_person ON imports (created_by, id);
CREATE INDEX imports_by_age ON imports (created_at);

CREATE TABLE import_rows (
  import_id bigint NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  sheet smallint NOT NULL,
  line integer NOT NULL,                 -- its number in the spreadsheet
  cells jsonb NOT NULL,                  -- texts
  PRIMARY KEY (import_id, sheet, line)
);

-- What the columns of a file mean, by their names, as it was imported last.
CREATE TABLE import_layouts (
  headers text PRIMARY KEY,              -- a hash of the names
  layout jsonb NOT NULL,                 -- columns and statuses
  used_at timestamptz NOT NULL DEFAULT now()
);
