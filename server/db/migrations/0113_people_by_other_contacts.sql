CREATE INDEX CONCURRENTLY users_contact_keys ON users USING gin (contact_keys(other_contacts))
  WHERE other_contacts <> '' AND deleted_at IS NULL;
