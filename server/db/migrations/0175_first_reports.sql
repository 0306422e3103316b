-- When an account's provider first reported anything. Calls are kept for 30 days only, and a quiet month must not look as
-- if reports had never been set up.
ALTER TABLE accounts ADD COLUMN reported_at timestamptz;
UPDATE accounts a SET reported_at = c.at
FROM (SELECT account_id, min(received_at) AS at FROM webhook_calls GROUP BY account_id) c WHERE c.account_id = a.id;
