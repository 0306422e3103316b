-- Who lives in a home or moves, without everyone who ever lived there.
CREATE INDEX CONCURRENTLY residencies_since ON residencies (unit_id, coalesce(last_day, 'infinity'))
  INCLUDE (person_id, role, during, first_day, last_day);
