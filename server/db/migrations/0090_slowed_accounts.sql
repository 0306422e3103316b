-- When an account last asked us to slow down: what it accepts of what was on its way by then doesn't end that.
ALTER TABLE accounts ADD COLUMN slowed_at timestamptz;
