-- A person's other numbers and addresses without their labels, as an import looks for them.
CREATE FUNCTION contact_keys(list text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN string_to_array(regexp_replace(lower(list), '(^|, )[^,]*: ', '\1', 'g'), ', ');
