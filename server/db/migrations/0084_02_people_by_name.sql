CREATE INDEX CONCURRENTLY users_sorted_by_name ON users (name_key, id)
  INCLUDE (role, property, channels, email_valid, phone_valid, address_confirmed_at) WHERE deleted_at IS NULL;
