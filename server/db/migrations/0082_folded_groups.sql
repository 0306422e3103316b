ALTER TABLE user_groups
  ADD COLUMN folded text GENERATED ALWAYS AS (fold(name || ' ' || description)) STORED,
  ADD COLUMN name_key text COLLATE "C" GENERATED ALWAYS AS (by_number(fold(name))) STORED;
