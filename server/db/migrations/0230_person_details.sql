-- What an organization keeps of each person beside the written columns (docs/decisions/0210). users.details has the values
-- by the id of their definition, as text: a decimal, a day (yyyy-MM-dd), or what was typed.
CREATE TABLE details (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  label text NOT NULL,
  field text NOT NULL,                          -- what messages write; never changes
  kind text NOT NULL CHECK (kind IN ('text', 'number', 'amount', 'date')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX details_field ON details (field);
CREATE UNIQUE INDEX details_label ON details (fold(label));

ALTER TABLE users ADD COLUMN details jsonb NOT NULL DEFAULT '{}';

-- What a search finds of them: the values, not the ids.
CREATE FUNCTION details_text(details jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT string_agg(value, ' ' ORDER BY key) FROM jsonb_each_text(details));

CREATE OR REPLACE FUNCTION fold_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded := fold(NEW.first_name || ' ' || NEW.last_name || ' ' || NEW.username || ' ' || coalesce(NEW.email, '') || ' ' ||
    coalesce(NEW.phone, '') || ' ' || coalesce(NEW.property_unit, '') || ' ' || coalesce(NEW.property, '') || ' ' ||
    coalesce(NEW.unit, '') || CASE NEW.details WHEN '{}' THEN '' ELSE ' ' || details_text(NEW.details) END);
  -- A company has one name. A tab sorts before every letter: all of "Smith" come before "Smith Jones".
  NEW.name_key := CASE WHEN is_company_name(NEW.first_name || ' ' || NEW.last_name)
    THEN by_number(fold(NEW.first_name || ' ' || NEW.last_name))
    ELSE by_number(fold(NEW.last_name)) || E'\t' || by_number(fold(NEW.first_name)) END;
  NEW.property_key := by_number(fold(NEW.property));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER users_folded
  BEFORE INSERT OR UPDATE OF first_name, last_name, username, email, phone, property_unit, property, unit, details ON users
  FOR EACH ROW EXECUTE FUNCTION fold_person();

-- Open pages hear of it, as of every other change of a person (0050).
CREATE OR REPLACE TRIGGER users_changed AFTER INSERT OR DELETE OR UPDATE OF username, email, phone, first_name, last_name, role,
  property_unit, property, unit, details, channels, address_confirmed_at, deleted_at ON users
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_people();

-- A decimal as the organization's country writes it, as contract/text/number-text.ts.
CREATE FUNCTION written_number(value text, digits int, before text, after text, grouped text, point text, lakhs boolean)
  RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE WHEN value LIKE '-%' THEN '-' ELSE '' END || before ||
    regexp_replace(split_part(ltrim(value, '-'), '.', 1),
      CASE WHEN lakhs THEN '(\d)(?=(?:\d\d)*\d{3}$)' ELSE '(\d)(?=(?:\d{3})+$)' END, '\1' || grouped, 'g') ||
    CASE WHEN rpad(split_part(value, '.', 2), greatest(digits, length(split_part(value, '.', 2))), '0') = '' THEN ''
      ELSE point || rpad(split_part(value, '.', 2), greatest(digits, length(split_part(value, '.', 2))), '0') END || after;
