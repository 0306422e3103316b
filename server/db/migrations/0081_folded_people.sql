-- What people are found and sorted by (0080). search_text stays for processes of the build before. Not generated columns:
-- adding those would write every row anew while no one can read any. 0081_folded_people_filled.ts fills old rows.
ALTER TABLE users
  ADD COLUMN folded text,
  ADD COLUMN name_key text COLLATE "C",
  ADD COLUMN property_key text COLLATE "C";

CREATE FUNCTION fold_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded := fold(NEW.first_name || ' ' || NEW.last_name || ' ' || NEW.username || ' ' || coalesce(NEW.email, '') || ' ' ||
    coalesce(NEW.phone, '') || ' ' || coalesce(NEW.property_unit, '') || ' ' || coalesce(NEW.property, '') || ' ' ||
    coalesce(NEW.unit, ''));
  -- A company has one name. A tab sorts before every letter: all of "Smith" come before "Smith Jones".
  NEW.name_key := CASE WHEN is_company(NEW.first_name || ' ' || NEW.last_name)
    THEN by_number(fold(NEW.first_name || ' ' || NEW.last_name))
    ELSE by_number(fold(NEW.last_name)) || E'\t' || by_number(fold(NEW.first_name)) END;
  NEW.property_key := by_number(fold(NEW.property));
  RETURN NEW;
END $$;

CREATE TRIGGER users_folded
  BEFORE INSERT OR UPDATE OF first_name, last_name, username, email, phone, property_unit, property, unit ON users
  FOR EACH ROW EXECUTE FUNCTION fold_person();
