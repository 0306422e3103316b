-- Groups by the thousand: landlords of single houses have a property, and so a group, for each.

-- As people order names: "Garden 9" before "Garden 10", whatever the case.
CREATE COLLATION natural_text (provider = icu, locale = 'en-US-u-kn-true');

ALTER TABLE user_groups
  -- Where lists have it: 0 made by somebody, 1 Everyone and the roles, 2 a property's.
  ADD COLUMN place smallint NOT NULL GENERATED ALWAYS AS (
    CASE WHEN NOT built_in THEN 0 WHEN rule ? 'property' THEN 2 ELSE 1 END) STORED,
  ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (lower(name || ' ' || description)) STORED;
CREATE INDEX user_groups_list ON user_groups (place, name COLLATE natural_text, id);
CREATE INDEX user_groups_search ON user_groups USING gin (search_text gin_trgm_ops);
CREATE INDEX user_groups_property ON user_groups (lower(rule->>'property')) WHERE rule ? 'property';
ANALYZE user_groups;
