-- The last day in their home of someone whom a row calls a past tenant (docs/decisions/0230-days-of-homes-in-imports.md).
ALTER TABLE import_people ADD COLUMN day date;
