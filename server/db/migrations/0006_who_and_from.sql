-- Who did what to a notification, and what its recipients saw as its sender.

-- The last change that a person made to what it says or to whom it goes; null until there is one.
ALTER TABLE notifications
  ADD COLUMN edited_by bigint REFERENCES users (id),
  ADD COLUMN edited_at timestamptz;

-- Who set the run going; null: its schedule, where `planned_for` says so, else nobody wrote it down.
ALTER TABLE runs ADD COLUMN started_by bigint REFERENCES users (id);

-- { name, address } of an account, "" where it has no name of its own; null for the Sandbox, which has no address.
ALTER TABLE providers ADD COLUMN sender jsonb;
-- The email account's when the run began: what an account is set to later changes nothing about it.
ALTER TABLE runs ADD COLUMN sender jsonb;
