-- The trace in which a run was started, as W3C traceparent, so that sending and receipts continue it; null: not traced.
ALTER TABLE runs ADD COLUMN traceparent text;
