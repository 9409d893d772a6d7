-- When a command's caller sent it: the workspace's time, of the last sending if it was refused or abandoned before.
-- Null: an earlier version has written it.
ALTER TABLE tollgate.operations ADD COLUMN submitted_at timestamptz;
