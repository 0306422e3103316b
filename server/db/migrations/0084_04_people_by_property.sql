CREATE INDEX CONCURRENTLY users_sorted_by_property ON users (property_key, name_key, id)
  INCLUDE (property, role, unit, channels, email_valid, phone_valid, address_confirmed_at) WHERE deleted_at IS NULL;
