-- needs 0128_people_by_property_and_unit.sql
DROP INDEX users_sorted_by_property;
