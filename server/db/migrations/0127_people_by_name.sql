-- needs 0126_people_by_name_and_unit.sql
DROP INDEX users_sorted_by_name;
