ALTER TABLE templates
  ADD COLUMN folded text GENERATED ALWAYS AS (fold(name || ' ' || type || ' ' || subject)) STORED,
  ADD COLUMN name_key text COLLATE "C" GENERATED ALWAYS AS (by_number(fold(name))) STORED;
