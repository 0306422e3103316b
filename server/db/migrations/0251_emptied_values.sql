-- When its rows and values were removed, because the messages that had them went to the archive (docs/decisions/0220-a-value-for-each-person.md).
ALTER TABLE imports ADD COLUMN emptied_at timestamptz;
