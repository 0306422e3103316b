-- A manager reads this description in the list of groups.
UPDATE user_groups SET description = 'Every tenant at the time a message goes out'
WHERE built_in AND description = 'Every tenant, as the list stands when a message goes out';
