CREATE INDEX CONCURRENTLY import_rows_in_trouble ON import_rows (import_id, sheet, line) WHERE troubles IS NOT NULL;
