-- needs 0084_11_audit_found.sql
-- Processes of the build before still find people, more slowly. Two indexes for each search would slow down every import.
DROP INDEX users_search, users_by_name, users_by_role, users_by_property, users_full_name;
