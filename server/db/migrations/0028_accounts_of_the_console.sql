-- Accounts that people connect in the console.

ALTER TABLE accounts
  ADD COLUMN secrets jsonb NOT NULL DEFAULT '{}',        -- setting to ciphertext, as server/db/secret-box.ts writes it
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN updated_by text,                            -- the name of the person who last changed it
  ADD COLUMN deleted_at timestamptz;                     -- deliveries keep its row
