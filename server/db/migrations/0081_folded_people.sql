-- What people are found and sorted by (0080). search_text stays for processes of the build before.
ALTER TABLE users
  ADD COLUMN folded text GENERATED ALWAYS AS (fold(
    first_name || ' ' || last_name || ' ' || username || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' ||
    coalesce(property_unit, '') || ' ' || coalesce(property, '') || ' ' || coalesce(unit, ''))) STORED,
  -- A company has one name. A tab sorts before every letter: all of "Smith" come before "Smith Jones".
  ADD COLUMN name_key text COLLATE "C" GENERATED ALWAYS AS (
    CASE WHEN is_company(first_name || ' ' || last_name) THEN by_number(fold(first_name || ' ' || last_name))
      ELSE by_number(fold(last_name)) || E'\t' || by_number(fold(first_name)) END) STORED,
  ADD COLUMN property_key text COLLATE "C" GENERATED ALWAYS AS (by_number(fold(property))) STORED;
