-- Open pages hear of every change to people, groups and blocked addresses, whoever makes it: the console, an import, an
-- unsubscribe link, a worker. Once per statement, however many rows it changes.
CREATE FUNCTION tell_of_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('porchlight', '{"type":"people"}');
  RETURN NULL;
END $$;

-- Not the columns that only sign-in and the bell write.
CREATE TRIGGER users_changed AFTER INSERT OR DELETE OR UPDATE OF username, email, phone, first_name, last_name, role,
  property_unit, property, unit, channels, address_confirmed_at, deleted_at ON users
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_people();
CREATE TRIGGER groups_changed AFTER INSERT OR UPDATE OR DELETE ON user_groups
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_people();
CREATE TRIGGER members_changed AFTER INSERT OR DELETE ON group_members
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_people();
CREATE TRIGGER suppressions_changed AFTER INSERT OR UPDATE OR DELETE ON suppressions
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_people();
