-- Names are stored and looked for composed (NFC) now. Of two that become the same, the other keeps its spelling.
UPDATE users u SET username = normalize(username) WHERE username IS NOT NORMALIZED
  AND NOT EXISTS (SELECT FROM users o WHERE o.id <> u.id AND lower(normalize(o.username)) = lower(normalize(u.username)));
UPDATE users SET first_name = normalize(first_name), last_name = normalize(last_name),
  property_unit = normalize(property_unit), property = normalize(property), unit = normalize(unit)
  WHERE concat(first_name, last_name, property_unit, property, unit) IS NOT NORMALIZED;
UPDATE user_groups g SET name = normalize(name) WHERE name IS NOT NORMALIZED
  AND NOT EXISTS (SELECT FROM user_groups o WHERE o.id <> g.id AND lower(normalize(o.name)) = lower(normalize(g.name)));
UPDATE user_groups SET rule = normalize(rule::text)::jsonb WHERE rule::text IS NOT NORMALIZED;
