-- needs 0084_11_audit_found.sql
DROP INDEX notifications_search;
