-- Open pages hear of it when someone's homes or dates change, as 0050 does for people.
CREATE TRIGGER residencies_changed AFTER INSERT OR UPDATE OR DELETE ON residencies
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_people();
