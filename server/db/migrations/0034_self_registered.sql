-- Who registers openly has proven one address, and must prove each next one, until staff vouch for the person.
ALTER TABLE users ADD COLUMN self_registered boolean NOT NULL DEFAULT false;

UPDATE users SET self_registered = true
WHERE address_confirmed_at IS NULL OR id IN (
  SELECT subject_id FROM audit WHERE action = 'user.confirm-address' AND detail ->> 'by' = 'link');
