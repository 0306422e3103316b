CREATE INDEX CONCURRENTLY user_groups_of_property ON user_groups USING hash (fold(rule->>'property'))
  WHERE rule ? 'property';
