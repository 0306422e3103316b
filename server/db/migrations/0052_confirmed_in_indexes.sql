-- Every rule of a group asks whether the address is confirmed. In the indexes, a page of a group reads no other row.

DROP INDEX users_by_name, users_by_role, users_by_property;
CREATE INDEX users_by_name ON users (lower(last_name), lower(first_name), id)
  INCLUDE (last_name, first_name, role, property, channels, email_valid, phone_valid, address_confirmed_at)
  WHERE deleted_at IS NULL;
CREATE INDEX users_by_role ON users (role, lower(last_name), lower(first_name), id)
  INCLUDE (last_name, first_name, property, channels, email_valid, phone_valid, address_confirmed_at)
  WHERE deleted_at IS NULL;
CREATE INDEX users_by_property ON users (property, lower(last_name), lower(first_name), id)
  INCLUDE (last_name, first_name, role, unit, channels, email_valid, phone_valid, address_confirmed_at)
  WHERE deleted_at IS NULL;
ANALYZE users;
