-- Whose residency is still to be brought in line with their details. No one, as a rule.
CREATE INDEX CONCURRENTLY users_to_settle ON users (id)
  WHERE deleted_at IS NULL AND role = 'tenant' AND (property || E'\t' || coalesce(unit, '')) IS DISTINCT FROM home_said;
