CREATE INDEX CONCURRENTLY users_sorted_by_role ON users (role, name_key, id)
  INCLUDE (property, channels, email_valid, phone_valid, address_confirmed_at) WHERE deleted_at IS NULL;
