-- Where someone who is 'leaving' an import lives no longer, because the file is complete; null: in the home that a row names.
ALTER TABLE import_people ADD COLUMN properties bigint[];
