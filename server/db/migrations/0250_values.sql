-- A value for each person of a message, from a file or from a call (docs/decisions/0220-a-value-for-each-person.md).

-- What a file is for: the import of people, or the values of a message.
ALTER TABLE imports ADD COLUMN purpose text NOT NULL DEFAULT 'people' CHECK (purpose IN ('people', 'values'));
-- A message has it. From then on it stays as it is, for as long as the message is there.
ALTER TABLE imports ADD COLUMN kept_at timestamptz;

-- What keeps a row of values from being sent; null: nothing. A row that someone left out has an empty list.
ALTER TABLE import_rows ADD COLUMN troubles jsonb;

CREATE TABLE person_values (
  values_id bigint NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  line integer,                          -- of the file; null: it comes from a call
  field_values jsonb NOT NULL,           -- as the message has them, by field
  PRIMARY KEY (values_id, user_id)
);
CREATE INDEX person_values_by_line ON person_values (values_id, line);
CREATE INDEX person_values_of_person ON person_values (user_id);

ALTER TABLE notifications ADD COLUMN values_id bigint REFERENCES imports (id);
