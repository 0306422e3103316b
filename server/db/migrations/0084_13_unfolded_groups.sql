-- needs 0084_11_audit_found.sql
DROP INDEX user_groups_search, user_groups_list, user_groups_property;
