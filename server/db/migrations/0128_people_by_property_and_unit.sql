-- Instead of users_sorted_by_property, as 0126 is: whichever of the two PostgreSQL counts a unit's people from, it is folded.
CREATE INDEX CONCURRENTLY users_listed_by_property ON users (property_key, name_key, id, fold(unit))
  INCLUDE (unit, property, role, channels, email_valid, phone_valid, address_confirmed_at) WHERE deleted_at IS NULL;
