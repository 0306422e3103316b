-- is_company knows legal forms. Some are names of people, too: the same rule as contract/text/company.ts.
CREATE FUNCTION is_company_name(name text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN is_company(name) AND trim(name) !~ $re$^(?:(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof)\.? )?[^ ,.&/0-9]*[a-z][^ ,.&/0-9]*(?: [^ ,.&/0-9]\.?)*,? [Tt]rust$$re$
    AND trim(name) !~ $re$^(?:(?:MR|MRS|MS|MISS|MX|DR|PROF)\.? )?[^ ,.&/0-9a-z]{2,}(?: [^ ,.&/0-9a-z]\.?)* (?:TRUST|AG|KG|UG|BV|NV|LP)$$re$;

CREATE OR REPLACE FUNCTION fold_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded := fold(NEW.first_name || ' ' || NEW.last_name || ' ' || NEW.username || ' ' || coalesce(NEW.email, '') || ' ' ||
    coalesce(NEW.phone, '') || ' ' || coalesce(NEW.property_unit, '') || ' ' || coalesce(NEW.property, '') || ' ' ||
    coalesce(NEW.unit, ''));
  -- A company has one name. A tab sorts before every letter: all of "Smith" come before "Smith Jones".
  NEW.name_key := CASE WHEN is_company_name(NEW.first_name || ' ' || NEW.last_name)
    THEN by_number(fold(NEW.first_name || ' ' || NEW.last_name))
    ELSE by_number(fold(NEW.last_name)) || E'\t' || by_number(fold(NEW.first_name)) END;
  NEW.property_key := by_number(fold(NEW.property));
  RETURN NEW;
END $$;

UPDATE users SET first_name = first_name
WHERE is_company(first_name || ' ' || last_name) AND NOT is_company_name(first_name || ' ' || last_name);
