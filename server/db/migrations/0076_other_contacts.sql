-- The person's other numbers and addresses: "Home: +13125550100, ann@example.com". Numbers are E.164. What can't be read stays as
-- it was written. Messages go only to phone and email.
ALTER TABLE users ADD COLUMN other_contacts text NOT NULL DEFAULT '';
