-- When the provider was last asked what a line is that nothing here is known for; NULL for never. An account that others
-- use as well has lines that stay unknown: the others come before them.
ALTER TABLE tollgate.settlement_lines ADD COLUMN fetched_at timestamptz;
