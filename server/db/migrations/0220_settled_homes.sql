-- Property and unit of a tenant when their residency was last brought in line with them. A process of an older build
-- changes those two and not this.
ALTER TABLE users ADD COLUMN home_said text;
