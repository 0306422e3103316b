-- Doors: what a caller's key was minted for.

-- SHA-256 of the body that came with the client key: the same key with another body is refused.
ALTER TABLE notifications ADD COLUMN client_key_hash bytea;
